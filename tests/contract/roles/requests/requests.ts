import assert from 'node:assert/strict';
import { create } from './fixtures.ts';
import { partsOf } from './parts.ts';
import type { Request, World } from './world.ts';

/** Returns a valid request for a line of the table of roles, about things that it creates. */
export async function toRequest(tableLine: string, world: World): Promise<Request> {
  const given = partsOf[tableLine] ?? {};
  const {
    query = '',
    line,
    ids: more = [],
    ...parts
  } = typeof given === 'function' ? await given(world) : given;
  const [method, path = ''] = tableLine.split(' ');
  const ids = [world.organizationId, ...more];
  let filled = path;
  for (const [placeholder, name = ''] of line === undefined ? path.matchAll(/\{(\w+)\}/g) : []) {
    const id = await create[name]?.(world, tableLine);
    assert.ok(id, `nothing is created for ${placeholder}`);
    filled = filled.replace(placeholder, id);
    ids.push(id);
  }
  const request = { line: line ?? `${method} ${filled}${query}`, ...parts };
  const text = JSON.stringify(request);
  return { ...request, ids: ids.filter((id) => id.length === 36 && text.includes(id)) };
}
