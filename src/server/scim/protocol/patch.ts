import { isDeepStrictEqual } from 'node:util';
import { badRequest } from './errors.ts';
import { matches, type CheckedFilter } from './filter.ts';
import { hasUnknownSchema, parsePath, type Path } from './path.ts';
import { findAttribute, type Attribute, type ResourceSchema } from '../resources/schema.ts';
import {
  isCommon,
  isObject,
  partOf,
  readValue,
  withMember,
  withOnePrimary,
  withValue,
  type Resource,
} from '../resources/values.ts';

/** A change that a client asks for. */
export interface Operation {
  readonly op: 'add' | 'replace' | 'remove';
  /** Undefined if the value is an object of paths and values. */
  readonly path: string | undefined;
  readonly value: unknown;
}

const maxOperations = 200;
const messageSchema = 'urn:ietf:params:scim:api:messages:2.0:patchop';

/** Reads the body of a PATCH (RFC 7644, section 3.5.2). Entra capitalizes the operations. Throws `invalidSyntax`. */
export function readOperations(body: unknown): Operation[] {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body must be a JSON object.');
  const { schemas } = body;
  const names = Array.isArray(schemas) ? schemas.map((name) => String(name).toLowerCase()) : [];
  const list = memberOf(body, 'operations');
  if (!names.includes(messageSchema) || !Array.isArray(list) || list.length === 0)
    throw badRequest('invalidSyntax', 'The body must be a PatchOp with at least one of Operations.');
  if (list.length > maxOperations) throw tooMany();
  return list.map((entry: unknown) => {
    if (!isObject(entry)) throw badRequest('invalidSyntax', 'An operation must be an object.');
    const name = memberOf(entry, 'op');
    const op = typeof name === 'string' ? name.toLowerCase() : '';
    const path = memberOf(entry, 'path') ?? undefined;
    if (op !== 'add' && op !== 'replace' && op !== 'remove')
      throw badRequest('invalidSyntax', 'op must be add, replace or remove.');
    if (path !== undefined && typeof path !== 'string')
      throw badRequest('invalidPath', 'path must be a string.');
    return { op, path: path === '' ? undefined : path, value: memberOf(entry, 'value') };
  });
}

const tooMany = () => badRequest('tooMany', `A request can have up to ${maxOperations} operations.`);

/** Returns a member whose name some clients capitalize. */
const memberOf = (object: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.entries(object).find(([key]) => key.toLowerCase() === name)?.[1];

/**
 * Returns the operations with a path each: a value without one is an object of paths and values, also of dotted ones. Ignores
 * unknown extensions, as POST and PUT do: refusing them would also refuse an `active: false` in the same request. A path
 * to `active` in another unknown schema is refused. Throws
 * `tooMany` if these are more than a request can have.
 */
export function withPaths(
  schema: ResourceSchema,
  operations: readonly Operation[],
): (Operation & { path: string })[] {
  const all = operations.flatMap(({ op, path, value }) => {
    if (path !== undefined) return [{ op, path, value }];
    if (op === 'remove') throw badRequest('noTarget', 'remove needs a path.');
    if (!isObject(value)) throw badRequest('invalidValue', 'Without a path, the value must be an object.');
    return membersOf(value).flatMap(([key, member]) => {
      if (isCommon(key)) return [];
      const extension = schema.extensions.find(({ id }) => id.toLowerCase() === key.toLowerCase());
      if (extension === undefined) return [{ op, path: key, value: member }];
      if (!isObject(member)) throw badRequest('invalidValue', `${extension.id} must be an object.`);
      return membersOf(member).map(([name, inner]) => ({
        op,
        path: `${extension.id}:${name}`,
        value: inner,
      }));
    });
  });
  if (all.length > maxOperations) throw tooMany();
  return all.filter(({ path, value }) => {
    const hasActive = isObject(value) && memberOf(value, 'active') !== undefined;
    return !hasUnknownSchema(schema, hasActive ? `${path}:active` : path);
  });
}

/** Returns the members of an object. Throws `invalidSyntax` if two have the same name, in any case. */
function membersOf(object: Readonly<Record<string, unknown>>): [string, unknown][] {
  const members = Object.entries(object);
  if (new Set(members.map(([name]) => name.toLowerCase())).size < members.length)
    throw badRequest('invalidSyntax', 'The value has an attribute twice.');
  return members;
}

/**
 * Returns a resource with the changes of a PATCH. Only attributes of the schema can be reached. Throws `invalidPath`, `noTarget`,
 * `mutability` and `invalidValue`.
 */
export function applyPatch(
  schema: ResourceSchema,
  resource: Readonly<Resource>,
  operations: readonly Operation[],
): Resource {
  return withPaths(schema, operations).reduce(
    (current: Resource, { op, path, value }) => apply(current, op, parsePath(schema, path), value),
    resource,
  );
}

function apply(resource: Resource, op: Operation['op'], path: Path, value: unknown): Resource {
  const { attribute } = path;
  const before = partOf(resource, path)[attribute.name];
  // null and an empty list unset an attribute (RFC 7643, section 2.5).
  const isRemoval = op === 'remove' || value === null || value === undefined;
  const after =
    attribute.multiValued === true
      ? changeValues(path, Array.isArray(before) ? before : [], op, isRemoval ? undefined : value, value)
      : changeValue(path, before, isRemoval ? undefined : value);
  return withValue(resource, path, after);
}

/** Changes an attribute with one value. Of an object, only the given parts change. */
function changeValue({ attribute, subAttribute }: Path, before: unknown, value: unknown): unknown {
  const object = isObject(before) ? before : {};
  if (subAttribute !== undefined)
    return orNone(withMember(object, subAttribute.name, readValue(subAttribute, value)));
  const read = readValue(attribute, value);
  if (read === undefined || attribute.type !== 'complex') return read;
  // `readValue` leaves out what is null; here, it unsets a part.
  const unset = Object.entries(isObject(value) ? value : {}).filter(([, part]) => part === null);
  const kept = unset.reduce((part: Resource, [name]) => {
    const sub = findAttribute(attribute.subAttributes ?? [], name);
    return sub === undefined ? part : withMember(part, sub.name, undefined);
  }, object);
  return { ...kept, ...(read as Resource) };
}

/** Changes an attribute with several values: all of them, or those that a filter selects. */
function changeValues(
  { attribute, filter, subAttribute }: Path,
  before: readonly unknown[],
  op: Operation['op'],
  value: unknown,
  sent: unknown,
): unknown[] | undefined {
  const isSelected = (entry: unknown) => filter === undefined || matches(filter, entry);
  if (value === undefined) {
    if (subAttribute === undefined)
      return listOrNone(withoutValues(attribute, before, isSelected, filter, sent));
    return listOrNone(
      before.flatMap((entry) =>
        isSelected(entry) ? [orNone(withMember(entry as Resource, subAttribute.name, undefined))] : [entry],
      ),
    );
  }
  if (filter === undefined && subAttribute === undefined) {
    const added = (readValue(attribute, value) ?? []) as unknown[];
    if (op === 'replace') return listOrNone(added);
    const isKnown = (entry: unknown) => before.some((known) => isDeepStrictEqual(known, entry));
    return readList(attribute, [...before, ...added.filter((entry) => !isKnown(entry))]);
  }
  const change = (entry: Resource): Resource =>
    subAttribute === undefined
      ? { ...entry, ...readEntry(attribute, value) }
      : withMember(entry, subAttribute.name, readValue(subAttribute, value));
  // Entra changes `emails[type eq "work"].value` before there is one, with either operation.
  if (!before.some(isSelected)) {
    return readList(attribute, [...before, change(filter === undefined ? {} : entryOf(attribute, filter))]);
  }
  const changed = before.map((entry) => (isSelected(entry) ? change(entry as Resource) : entry));
  return readList(attribute, changed);
}

/** Clients without filters in paths name the values to remove in the value. */
function withoutValues(
  attribute: Attribute,
  before: readonly unknown[],
  isSelected: (entry: unknown) => boolean,
  filter: CheckedFilter | undefined,
  sent: unknown,
): unknown[] {
  if (filter !== undefined || !Array.isArray(sent)) return before.filter((entry) => !isSelected(entry));
  const named = (readValue(attribute, sent) ?? []) as Resource[];
  return before.filter((entry) => !named.some((name) => name['value'] === (entry as Resource)['value']));
}

const readEntry = (attribute: Attribute, value: unknown): Resource | undefined =>
  ((readValue(attribute, [value]) ?? []) as Resource[])[0];

/** Returns a list within its limits, with one primary value at most. */
const readList = (attribute: Attribute, entries: readonly unknown[]): unknown[] | undefined =>
  readValue(attribute, entries) as unknown[] | undefined;

const orNone = (object: Resource): Resource | undefined =>
  Object.keys(object).length === 0 ? undefined : object;

function listOrNone(entries: readonly unknown[]): unknown[] | undefined {
  const present = entries.filter((entry) => entry !== undefined);
  return present.length === 0 ? undefined : withOnePrimary(present);
}

/** Returns the value that a filter such as `type eq "work"` describes. Throws `noTarget` if it describes none. */
function entryOf(attribute: Attribute, filter: CheckedFilter): Resource {
  const parts = filter.op === 'and' ? filter.filters : [filter];
  return Object.fromEntries(
    parts.map((part) => {
      const sub = part.op === 'eq' ? findAttribute(attribute.subAttributes ?? [], part.attrPath) : undefined;
      if (part.op !== 'eq' || sub === undefined)
        throw badRequest('noTarget', `No value of ${attribute.name} matches the path.`);
      return [sub.name, readValue(sub, part.compValue)] as const;
    }),
  );
}
