import { parse, type Filter } from 'scim2-parse-filter';
import { schemaOf, userSchema } from '../resources/schema.ts';
import { isObject } from '../resources/values.ts';
import { badRequest } from './errors.ts';

/** More than any client sends, and too short to nest deep or to take long on each resource. */
const maxLength = 1_000;
const maxTerms = 20;

/** A filter that was read and is small. */
export type CheckedFilter = Filter;

/** Reads a filter (RFC 7644, section 3.4.2.2). Throws `invalidFilter`. */
export function parseFilter(text: string): CheckedFilter {
  if (text.length > maxLength)
    throw badRequest('invalidFilter', `A filter can have up to ${maxLength} characters.`);
  let filter: Filter;
  try {
    filter = parse(text);
  } catch {
    throw badRequest('invalidFilter', 'The filter can’t be read (RFC 7644, section 3.4.2.2).');
  }
  if (countTerms(filter) > maxTerms)
    throw badRequest('invalidFilter', `A filter can have up to ${maxTerms} comparisons.`);
  return filter;
}

function countTerms(filter: Filter): number {
  switch (filter.op) {
    case 'and':
    case 'or':
      return filter.filters.reduce((sum, part) => sum + countTerms(part), 0);
    case 'not':
      return countTerms(filter.filter);
    case '[]':
      return 1 + countTerms(filter.valFilter);
    case 'pr':
    case 'eq':
    case 'ne':
    case 'co':
    case 'sw':
    case 'ew':
    case 'gt':
    case 'lt':
    case 'ge':
    case 'le':
      return 1;
    default:
      // The parser returns a word such as `constructor` as an operator.
      throw badRequest('invalidFilter', 'The filter has an unknown operator.');
  }
}

/** Returns the names of the attributes that a filter compares, in lower case. */
export function attributesOf(filter: CheckedFilter): string[] {
  if ('filters' in filter) return filter.filters.flatMap(attributesOf);
  if ('filter' in filter) return attributesOf(filter.filter);
  return [filter.attrPath.toLowerCase().split(':').at(-1)?.split('.')[0] ?? ''];
}

/** Whether a resource or a value meets a filter. Texts are compared in lower case, as the attributes of the schemas are. */
export function matches(filter: CheckedFilter, value: unknown): boolean {
  switch (filter.op) {
    case 'and':
      return matchesAll(filter.filters, value);
    case 'or':
      return filter.filters.some((part) => matches(part, value));
    case 'not':
      return !matches(filter.filter, value);
    case '[]':
      return valuesAt(value, filter.attrPath).some((entry) => matches(filter.valFilter, entry));
    case 'pr':
      return valuesAt(value, filter.attrPath).some((found) => found !== '' && found !== null);
    case 'ne':
      return !valuesAt(value, filter.attrPath).some((found) => compares('eq', found, filter.compValue));
    default:
      return valuesAt(value, filter.attrPath).some((found) => compares(filter.op, found, filter.compValue));
  }
}

/** The parser returns `emails[type eq "work"].value eq "x"` as two conditions, which must hold for the same value. */
function matchesAll(filters: readonly Filter[], value: unknown): boolean {
  const [first, second] = filters;
  if (filters.length === 2 && first?.op === '[]' && second !== undefined && 'attrPath' in second) {
    const prefix = `${first.attrPath}.`;
    if (second.attrPath.startsWith(prefix)) {
      const inner = { ...second, attrPath: second.attrPath.slice(prefix.length) } as Filter;
      return valuesAt(value, first.attrPath).some(
        (entry) => matches(first.valFilter, entry) && matches(inner, entry),
      );
    }
  }
  return filters.every((part) => matches(part, value));
}

/** Returns the values of an attribute, of which a list has several. A list of objects stands for their `value`. */
function valuesAt(value: unknown, path: string): unknown[] {
  const colon = path.lastIndexOf(':');
  const names = path.slice(colon + 1).split('.');
  const schema = colon < 0 ? schemaOf(userSchema, names[0] ?? '').id : path.slice(0, colon);
  const steps = /:core:2\.0:\w+$/i.test(schema) ? names : [schema, ...names];
  let found: unknown[] = [value];
  for (const step of steps) {
    const wanted = step.toLowerCase();
    found = found.flatMap((at) => {
      if (!isObject(at)) return [];
      const key = Object.keys(at).find((name) => name.toLowerCase() === wanted);
      return key === undefined ? [] : [at[key]].flat();
    });
  }
  return found;
}

function compares(op: string, found: unknown, wanted: boolean | null | number | string): boolean {
  const left = isObject(found) ? found['value'] : found;
  if (typeof left === 'boolean') return op === 'eq' && String(left) === String(wanted).toLowerCase();
  if (typeof left !== 'string' || wanted === null) return false;
  const [text, other] = comparable(left, String(wanted));
  switch (op) {
    case 'eq':
      return text === other;
    case 'co':
      return text.includes(other);
    case 'sw':
      return text.startsWith(other);
    case 'ew':
      return text.endsWith(other);
    case 'gt':
      return text > other;
    case 'ge':
      return text >= other;
    case 'lt':
      return text < other;
    default:
      return text <= other;
  }
}

const timestamp = /^\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d(\.\d+)?(z|[+-]\d\d:\d\d)$/i;

/** Texts are compared in lower case. Times are compared in UTC, with as many digits as the server has (RFC 7643, section 2.3.5). */
function comparable(left: string, right: string): readonly [string, string] {
  const times = [left, right].map((text) => (timestamp.test(text) ? Date.parse(text) : Number.NaN));
  const [one, other] = times.map((time) => (Number.isNaN(time) ? undefined : new Date(time).toISOString()));
  return one === undefined || other === undefined ? [left.toLowerCase(), right.toLowerCase()] : [one, other];
}

/** An attribute with the text that it must equal. */
export interface Equality {
  /** In lower case, such as `username`, or `emails.value`. */
  readonly path: string;
  readonly value: string;
}

/** Returns the attributes that every match has, by which resources can be looked up instead of tried one after the other. */
export function findEqualities(filter: CheckedFilter): Equality[] {
  if (filter.op === 'and') return filter.filters.flatMap(findEqualities);
  if (filter.op === '[]') {
    return findEqualities(filter.valFilter).map(({ path, value }) => ({
      path: `${filter.attrPath.toLowerCase()}.${path}`,
      value,
    }));
  }
  if (filter.op !== 'eq' || typeof filter.compValue !== 'string') return [];
  return [{ path: filter.attrPath.toLowerCase(), value: filter.compValue }];
}
