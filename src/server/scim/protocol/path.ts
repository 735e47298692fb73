import { badRequest } from './errors.ts';
import { parseFilter, type CheckedFilter } from './filter.ts';
import {
  findAttribute,
  schemaOf,
  type Attribute,
  type ResourceSchema,
  type Schema,
} from '../resources/schema.ts';
import { isCommon, type Target } from '../resources/values.ts';

/** A path of a PATCH that leads to an attribute of the schema. */
export interface Path extends Target {
  /** Which values of the attribute it selects; undefined for all. */
  readonly filter: CheckedFilter | undefined;
  readonly subAttribute: Attribute | undefined;
}

const maxLength = 1_000;

/**
 * Reads a path (RFC 7644, section 3.5.2): `attribute`, `attribute.part`, `attribute[filter]`, `attribute[filter].part`, each also
 * after the ID of a schema and a colon. Throws `invalidPath`, and `mutability` for what clients can't change.
 */
export function parsePath(schema: ResourceSchema, text: string): Path {
  if (text.length > maxLength) throw invalidPath();
  const { named, rest } = splitSchema(schema, text);
  const open = rest.indexOf('[');
  const close = rest.lastIndexOf(']');
  const hasFilter = open >= 0;
  if (hasFilter && close < open) throw invalidPath();
  const [name = '', ...parts] = (hasFilter ? rest.slice(0, open) : rest).split('.');
  const own = named ?? schemaOf(schema, name);
  if (isCommon(name) && own === schema.core) throw badRequest('mutability', `${name} can’t be changed.`);
  const attribute = findAttribute(own.attributes, name);
  if (attribute === undefined || (hasFilter && attribute.multiValued !== true)) throw invalidPath();
  const after = hasFilter ? readPartAfter(rest.slice(close + 1)) : parts;
  if ((hasFilter && parts.length > 0) || after.length > 1) throw invalidPath();
  const [part] = after;
  const subAttribute = part === undefined ? undefined : findAttribute(attribute.subAttributes ?? [], part);
  if (part !== undefined && subAttribute === undefined) throw invalidPath();
  if (attribute.readOnly === true || subAttribute?.readOnly === true)
    throw badRequest('mutability', `${subAttribute?.name ?? attribute.name} can’t be changed.`);
  const filter = hasFilter ? readFilter(rest.slice(open + 1, close), attribute) : undefined;
  return { schema: own, isExtension: own !== schema.core, attribute, filter, subAttribute };
}

/**
 * Whether a path starts with the ID of a schema that the resource doesn't have, so that it can be ignored. A path to `active` is only
 * ignored in an extension: otherwise, a client that misspells the core schema would believe that the person is deactivated.
 */
export const hasUnknownSchema = (schema: ResourceSchema, text: string): boolean =>
  /^urn:/i.test(text) &&
  (/:extension:/i.test(text) || !/[:.]active$/i.test(text)) &&
  findSchemaOfPath(schema, text) === undefined;

/**
 * Returns the schema whose ID a path starts with; undefined if none. IDs contain dots, so they are compared as a whole; Entra also
 * writes a dot after them.
 */
function findSchemaOfPath({ core, extensions }: ResourceSchema, text: string): Schema | undefined {
  const lower = text.toLowerCase();
  return [core, ...extensions].find(
    ({ id }) => /^([:.]|$)/.test(text.slice(id.length)) && lower.startsWith(id.toLowerCase()),
  );
}

function splitSchema(schema: ResourceSchema, text: string) {
  const named = findSchemaOfPath(schema, text);
  if (named !== undefined) return { named, rest: text.slice(named.id.length + 1) };
  if (text.slice(0, indexOrEnd(text, '[')).includes(':')) throw invalidPath();
  return { named, rest: text };
}

const indexOrEnd = (text: string, part: string): number => {
  const index = text.indexOf(part);
  return index < 0 ? text.length : index;
};

function readPartAfter(text: string): string[] {
  if (text === '') return [];
  if (!text.startsWith('.')) throw invalidPath();
  return text.slice(1).split('.');
}

/** The filter of a path selects values by parts that the attribute has. */
function readFilter(text: string, { subAttributes = [] }: Attribute): CheckedFilter {
  const filter = parseFilter(text);
  const check = (part: CheckedFilter): void => {
    if ('filters' in part) part.filters.forEach(check);
    else if ('filter' in part) check(part.filter);
    else if ('valFilter' in part || findAttribute(subAttributes, part.attrPath) === undefined)
      throw invalidPath();
  };
  check(filter);
  return filter;
}

const invalidPath = () => badRequest('invalidPath', 'The path leads to no attribute of the schema.');
