import { objectIn } from '../dashboard-filters/definitions.ts';

/** Any object of a file, of which only known members are read. */
export type Fields = Readonly<Record<string, unknown>>;

const none: Fields = Object.freeze({});

/** Returns a member if it is an object; an empty object otherwise. Inherited members don't count. */
export const fieldsIn = (value: unknown, name: string): Fields => objectIn(own(value, name)) ?? none;

/** Returns the items of a member that are objects. */
export const objectsIn = (value: unknown, name: string): Fields[] =>
  listIn(value, name)
    .map((item) => objectIn(item))
    .filter((item) => item !== undefined);

/** Returns the items of a member that is a list; none for anything else. */
export function listIn(value: unknown, name: string): readonly unknown[] {
  const list = own(value, name);
  return Array.isArray(list) ? list.slice(0, maxItems) : [];
}

/** Returns a member if it is text that isn't empty. */
export function textIn(value: unknown, name: string): string | undefined {
  const text = own(value, name);
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** Returns a member if it is a finite number. */
export function numberIn(value: unknown, name: string): number | undefined {
  const number = own(value, name);
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Returns a member of an object that is its own. */
export function own(value: unknown, name: string): unknown {
  const fields = objectIn(value);
  return fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

const maxItems = 10_000;

const maxDepth = 100;
const maxValues = 5_000_000;

/** Whether objects and lists are nested more deeply than any export, so that later steps can't be recursive. */
export function isNestedTooDeeply(value: unknown): boolean {
  let level = new Set<unknown>([value]);
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    const next = new Set<unknown>();
    for (const each of level)
      if (isObject(each)) for (const inner of Object.values(each)) if (isObject(inner)) next.add(inner);
    if (next.size === 0) return false;
    level = next;
  }
  return true;
}

/** Whether there are more values than in any export. Those that aliases of YAML repeat count each time, as they would as text. */
export function hasTooManyValues(value: unknown): boolean {
  const open: unknown[] = [value];
  let count = 0;
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    const inner = isObject(each) ? Object.values(each) : [];
    count += 1 + inner.length;
    if (count > maxValues) return true;
    for (const one of inner) if (isObject(one)) open.push(one);
  }
  return false;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
