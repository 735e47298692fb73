import { badRequest } from '../protocol/errors.ts';
import {
  commonAttributes,
  findAttribute,
  findSchema,
  type Attribute,
  type ResourceSchema,
  type Schema,
} from './schema.ts';

/** The attributes of a resource by their names, in the spelling of the schema. */
export type Resource = Record<string, unknown>;

const maxTextLength = 1_000;
const maxValues = 50;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the attributes of a body that the schema has, with the spelling and types of the schema. Others are left out, as RFC 7644
 * (section 3.3) permits. Throws `invalidSyntax` and `invalidValue`.
 */
export function readResource(schema: ResourceSchema, body: unknown): Resource {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body must be a JSON object.');
  const resource = readAttributes(schema.core.attributes, body);
  for (const [key, value] of Object.entries(body)) {
    const extension = findSchema(schema, key);
    if (extension === undefined || extension === schema.core || !isObject(value)) continue;
    const attributes = readAttributes(extension.attributes, value);
    if (Object.keys(attributes).length > 0) resource[extension.id] = attributes;
  }
  return resource;
}

function readAttributes(attributes: readonly Attribute[], body: Readonly<Record<string, unknown>>): Resource {
  const read: Resource = {};
  for (const [key, value] of Object.entries(body)) {
    const attribute = findAttribute(attributes, key);
    if (attribute === undefined || attribute.readOnly === true) continue;
    const stored = readValue(attribute, value);
    if (stored !== undefined) read[attribute.name] = stored;
  }
  return read;
}

/** Returns a value in the type of its attribute; undefined for `null` and empty lists, which unset it (RFC 7643, section 2.5). */
export function readValue(attribute: Attribute, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (attribute.multiValued !== true) return readSingle(attribute, onlyValue(attribute, value));
  const list = Array.isArray(value) ? value : [value];
  if (list.length > maxValues)
    throw badRequest('invalidValue', `${attribute.name} can have up to ${maxValues} values.`);
  const entries = list.map((entry) => readSingle(attribute, entry)).filter((entry) => entry !== undefined);
  return entries.length === 0 ? undefined : withOnePrimary(entries);
}

/** Entra also sends a single value as a list of one: `[{ "value": "…" }]`. */
function onlyValue({ type }: Attribute, value: unknown): unknown {
  if (!Array.isArray(value) || value.length !== 1) return value;
  const only: unknown = value[0];
  return type !== 'complex' && isObject(only) ? only['value'] : only;
}

function readSingle(attribute: Attribute, value: unknown): unknown {
  switch (attribute.type) {
    case 'string':
    case 'reference':
      return readText(attribute, value);
    case 'boolean':
      return readBoolean(attribute, value);
    case 'complex': {
      const { subAttributes = [] } = attribute;
      // Entra sends the ID of a manager instead of an object.
      const body = isObject(value) ? value : { value };
      if (!isObject(value) && findAttribute(subAttributes, 'value') === undefined)
        throw badRequest('invalidValue', `${attribute.name} must be an object.`);
      const read = readAttributes(subAttributes, body);
      return Object.keys(read).length === 0 ? undefined : read;
    }
  }
}

function readText({ name }: Attribute, value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') throw badRequest('invalidValue', `${name} must be a string.`);
  if (text.length > maxTextLength)
    throw badRequest('invalidValue', `${name} can have up to ${maxTextLength} characters.`);
  // oxlint-disable-next-line no-control-regex -- what no name or address has, except for the lines of postal addresses.
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text))
    throw badRequest('invalidValue', `${name} must not contain control characters.`);
  return text;
}

/** Entra sends booleans as `"True"` and `"False"`, unless its feature flag for the standard is set. */
function readBoolean({ name }: Pick<Attribute, 'name'>, value: unknown): boolean {
  const text = typeof value === 'string' ? value.toLowerCase() : value;
  if (text === true || text === 'true') return true;
  if (text === false || text === 'false') return false;
  throw badRequest('invalidValue', `${name} must be true or false.`);
}

/** At most one value is primary (RFC 7643, section 2.4): the last one that says so. */
export function withOnePrimary(entries: readonly unknown[]): unknown[] {
  const last = entries.findLastIndex((entry) => isObject(entry) && entry['primary'] === true);
  return entries.map((entry, index) =>
    isObject(entry) && entry['primary'] === true && index !== last ? { ...entry, primary: false } : entry,
  );
}

/** Where a path leads: an attribute of the resource itself or of an extension. */
export interface Target {
  readonly schema: Schema;
  readonly isExtension: boolean;
  readonly attribute: Attribute;
}

/** Returns the object of a resource that has the attributes of a schema, and an empty one if there is none. */
export function partOf(
  resource: Readonly<Resource>,
  { schema, isExtension }: Omit<Target, 'attribute'>,
): Resource {
  if (!isExtension) return resource;
  const part = resource[schema.id];
  return isObject(part) ? part : {};
}

/** Returns a resource with an attribute set, or (undefined) unset. */
export function withValue(
  resource: Readonly<Resource>,
  { schema, isExtension, attribute }: Target,
  value: unknown,
): Resource {
  const part = withMember(partOf(resource, { schema, isExtension }), attribute.name, value);
  if (!isExtension) return part;
  return withMember(resource, schema.id, Object.keys(part).length === 0 ? undefined : part);
}

/** Returns an object with a member set, or (undefined) without it. Names come from the schema. */
export function withMember(object: Readonly<Resource>, name: string, value: unknown): Resource {
  const others = Object.fromEntries(Object.entries(object).filter(([other]) => other !== name));
  return value === undefined ? others : { ...others, [name]: value };
}

/** Whether a name is an attribute that only the server gives. */
export const isCommon = (name: string): boolean => commonAttributes.has(name.toLowerCase());
