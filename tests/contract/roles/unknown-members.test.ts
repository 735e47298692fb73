import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from '#contract/route.ts';
import { toRequest } from './requests/requests.ts';
import type { Request } from './requests/world.ts';
import { expected, routeOf } from './table.ts';
import { send, startWorlds } from './worlds.ts';

const mistake = 'mistake';

test('every operation refuses unknown query parameters and members by name, or says why it ignores them', async (context) => {
  const { createWorld } = await startWorlds(context, 'SQLite');
  const wrong: string[] = [];
  for (const [line, { owner }] of Object.entries(expected)) {
    const route = routeOf(line);
    if (owner >= 400 || route.ignoresUnknown !== undefined || route.access === 'display') continue;
    const world = await createWorld('owner');
    const request = await toRequest(line, world);
    for (const [code, one] of mistaken(route, request)) {
      const { status, body } = await send(world, one);
      const faults = (body?.errors ?? []).map(({ pointer }: { pointer: string }) => pointer);
      if (status !== 400 || body.code !== code || String(faults) !== `/${mistake}`)
        wrong.push(`${line}: ${status} ${code} ${faults}`);
    }
  }
  assert.deepEqual(wrong, []);
});

/** Returns a request with an unknown query parameter, and one with an unknown member, with the codes of their problems. */
function mistaken({ query }: Route, request: Request): readonly (readonly [code: string, Request])[] {
  const { line, body } = request;
  const withParameter = { ...request, line: `${line}${line.includes('?') ? '&' : '?'}${mistake}=1` };
  const withMember = { ...request, body: { ...(body as object), [mistake]: 1 } };
  // The parameters of reports have any names.
  const hasAnyName = typeof query?.['additionalProperties' as keyof typeof query] === 'object';
  return [
    ...(hasAnyName ? [] : [['invalid_parameters', withParameter] as const]),
    ...(typeof body === 'object' ? [['invalid_body', withMember] as const] : []),
  ];
}
