import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { routes } from '#contract/routes.ts';
import { isExhaustive } from '../../support/exhaustive.ts';
import { describeOnBothEngines, engines } from '../../support/server/test-server.ts';
import { assertDocumented } from './documented-responses.ts';
import { withoutIdentity, withUnknownIds } from './requests/world.ts';
import type { ApiDocument } from '../routes/document.ts';
import { partsOf } from './requests/parts.ts';
import { toRequest } from './requests/requests.ts';
import { othersOf, sampleOf } from './sample.ts';
import { actors, expected, routeOf, table } from './table.ts';
import { send, startWorlds } from './worlds.ts';

describe('the table of routes and roles', () => {
  test('has the columns that are tested', () => {
    assert.deepEqual(table.split('\n')[1]?.trim().split(/ +/), actors);
  });

  test('has every route of the contract, and no other', () => {
    const inTable = new Set(Object.keys(expected).map((line) => line.split(' ').slice(0, 2).join(' ')));
    const inContract = routes.map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual([...inTable].toSorted(), inContract.toSorted());
    assert.deepEqual(
      Object.keys(partsOf).filter((line) => !(line in expected)),
      [],
    );
  });

  test('is sampled so that every actor has many lines, and changes between roles are tested', () => {
    for (const engine of engines) {
      const samples = Object.keys(expected).map((line) => sampleOf(line, engine));
      for (const actor of actors) {
        const count = samples.filter((sample) => sample.includes(actor)).length;
        assert.ok(count > 20, `${actor} is in ${count} samples on ${engine}`);
      }
    }
    const roles = ['viewer', 'editor', 'admin', 'owner'];
    const sample = sampleOf('DELETE /api/trash/reports/{id}', 'SQLite');
    assert.deepEqual(
      sample.filter((actor) => roles.includes(actor)),
      isExhaustive ? roles : ['editor', 'admin'],
    );
  });

  test('refuses requests without a session wherever the contract requires one', () => {
    for (const [line, { none, expired }] of Object.entries(expected)) {
      const isRefused = routeOf(line).access === 'session';
      assert.deepEqual([none === 401, expired === 401], [isRefused, isRefused], line);
    }
  });
});

describeOnBothEngines('every route', (engine) => {
  test('responds to every kind of session as the table says, and as documented', async (context) => {
    const seen: Record<string, Record<string, number>> = {};
    const sampled: Record<string, Record<string, number | undefined>> = {};
    let document: ApiDocument | undefined;
    // Two servers, since each answers only so many requests of one address.
    for (const group of [actors.slice(0, 9), actors.slice(9)]) {
      const { server, worldFor } = await startWorlds(context, engine);
      document ??= (await server.call('GET /api/openapi.json')).body as ApiDocument;
      for (const line of Object.keys(expected)) {
        const sample = sampleOf(line, engine).filter((actor) => group.includes(actor));
        const responses = await Promise.all(
          sample.map(async (actor) => {
            const world = await worldFor(actor, routeOf(line), expected[line]?.[actor] ?? 0);
            return [actor, await send(world, await toRequest(line, world))] as const;
          }),
        );
        for (const [actor, response] of responses)
          assertDocumented(document, routeOf(line), response, `${line}, ${actor}`);
        const statuses = Object.fromEntries(responses.map(([actor, { status }]) => [actor, status]));
        seen[line] = { ...seen[line], ...statuses };
        const inTable = Object.fromEntries(sample.map((actor) => [actor, expected[line]?.[actor]]));
        sampled[line] = { ...sampled[line], ...inTable };
      }
    }
    assert.deepEqual(seen, sampled);
  });

  test('responds the same, byte for byte, to what belongs to others and to what does not exist', async (context) => {
    const { worldFor } = await startWorlds(context, engine);
    let compared = 0;
    for (const line of Object.keys(expected)) {
      for (const actor of othersOf(line, engine)) {
        if (expected[line]?.[actor] !== 404) continue;
        const world = await worldFor(actor, routeOf(line), 404);
        const request = await toRequest(line, world);
        if (request.ids.length === 0) continue;
        const [foreign, unknown] = [await send(world, request), await send(world, withUnknownIds(request))];
        assert.deepEqual(withoutIdentity(foreign), withoutIdentity(unknown), `${line}, ${actor}`);
        assert.equal(foreign.status, 404);
        compared += 1;
      }
    }
    assert.ok(compared > routes.length / 2, `${compared} comparisons`);
  });
});
