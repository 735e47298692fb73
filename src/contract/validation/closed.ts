import type { TSchema } from 'typebox';

/**
 * Returns a copy of a schema whose objects permit only the members that they declare, at every depth. An object that says something
 * else with `additionalProperties`, such as a free-form one, stays as it is.
 */
export function closed(schema: TSchema): TSchema {
  // Sound because only `additionalProperties` of the copy differ.
  return copyOf(schema) as TSchema;
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyOf(member)]));
  return isOpen(copy) ? { ...copy, additionalProperties: false } : copy;
}

const isOpen = (schema: Readonly<Record<string, unknown>>): boolean =>
  schema['type'] === 'object' &&
  ('properties' in schema || 'patternProperties' in schema) &&
  !('additionalProperties' in schema);
