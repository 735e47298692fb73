import type { Route } from '#contract/route.ts';
import type { JsonSchema } from './schemas.ts';

interface Operation {
  readonly route: Route;
  readonly described: JsonSchema;
}

/**
 * Says in the schemas of requests that unknown members are refused, as the server does. A schema that an operation shares which ignores
 * them says nothing.
 */
export function closeRequests(
  operations: readonly Operation[],
  components: Record<string, JsonSchema>,
): void {
  const open = new Set<string>();
  const closed = new Set<string>();
  for (const { route, described } of operations)
    addReferences(described['requestBody'], components, route.ignoresUnknown === undefined ? closed : open);
  for (const name of closed.difference(open)) {
    const schema = components[name];
    if (schema !== undefined && isOpenObject(schema))
      components[name] = { ...schema, additionalProperties: false };
  }
}

const isOpenObject = (schema: JsonSchema): boolean =>
  schema['type'] === 'object' && 'properties' in schema && !('additionalProperties' in schema);

/** Adds the names of the schemas that a part of the document refers to, directly or through others. */
function addReferences(part: unknown, components: Record<string, JsonSchema>, names: Set<string>): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [keyword, value] of Object.entries(part)) {
    if (keyword !== '$ref') {
      addReferences(value, components, names);
      continue;
    }
    const name = String(value).replace('#/components/schemas/', '');
    if (names.has(name)) continue;
    names.add(name);
    addReferences(components[name], components, names);
  }
}
