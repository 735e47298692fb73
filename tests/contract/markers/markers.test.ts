import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { readSheets } from '../../support/exports/read-xlsx.ts';
import type { Person, TestResponse } from '../../support/server/test-server.ts';
import { describeInWorld } from '../../support/server/shared-world.ts';
import { attacksOn, type Attack } from './requests.ts';
import { internal, secret, startMarkedWorld, type KnownIds } from './world.ts';

const queries = [
  'previewReport',
  'runReport',
  'drillReport',
  'profileColumns',
  'countCells',
  'listSelectedRows',
];
/** Everything that reads, also by a query in a body. */
const reads = routes.filter(
  ({ id, method, access }) => access !== 'display' && (method === 'GET' || queries.includes(id)),
);
/** Exports are slow, and show what the results of dashboards show. */
const quickReads = reads.filter(({ path }) => !/\/dashboards\/.*\/export$/.test(path));
const turnOf = ({ access, method }: Route): number =>
  access === 'display' ? 1 : method === 'DELETE' ? 2 : 0;
/**
 * Everything that changes records or the organization; then the wall displays that were created by it, and last what deletes. People
 * don't attack their own account.
 */
const changes = routes
  .filter(
    (route) => route.access !== 'public' && !route.path.startsWith('/api/auth/') && !reads.includes(route),
  )
  .toSorted((one, other) => turnOf(one) - turnOf(other));

/** Somebody who knows all IDs, and what they have created themselves. */
interface Attacker {
  readonly person: Person;
  readonly ids: Record<string, string[]>;
  /** Tokens of links for wall displays. */
  readonly tokens: string[];
}

const toAttacker = (person: Person, ids: KnownIds): Attacker => ({
  person,
  ids: Object.fromEntries(Object.entries(ids).map(([name, values]) => [name, [...values]])),
  tokens: [],
});

describeInWorld(
  'everything that the API returns',
  startMarkedWorld,
  (world) => {
    /** Sends all requests that can be made to routes. Returns those whose responses have a marker. */
    async function findLeaks(sent: readonly Route[], attacker: Attacker, markers: readonly string[]) {
      const leaks: string[] = [];
      for (const route of sent) {
        for (const attack of attacksOn(route, attacker.ids, attacker.person.id)) {
          const response = await send(attacker, route, attack);
          const text = textOf(response);
          if (markers.some((marker) => text.includes(marker)))
            leaks.push(`${attack.line} ${JSON.stringify(attack.body) ?? ''}: ${text.slice(0, 2_000)}`);
          remember(attacker, route, response);
        }
      }
      return leaks;
    }

    async function send({ person, tokens }: Attacker, { access }: Route, { line, ...request }: Attack) {
      const identity =
        access === 'display' ? { headers: { authorization: `Bearer ${tokens[0]}` } } : { as: person };
      const response = await world.server.call(line, { ...request, ...identity });
      assert.notEqual(response.status, 500, `${line}: ${response.text}`);
      return response;
    }

    async function attackWithEverything(attacker: Attacker, markers: readonly string[]) {
      assert.deepEqual(await findLeaks(reads, attacker, markers), []);
      assert.deepEqual(await findLeaks(changes, attacker, markers), []);
      assert.deepEqual(await findLeaks(quickReads, attacker, markers), []);
      const received = world.server.mails.filter(({ to }) => to === attacker.person.email);
      assert.ok(!markers.some((marker) => JSON.stringify(received).toLowerCase().includes(marker)));
    }

    test('has the markers for people with access', async () => {
      const owner = toAttacker(world.owner, {
        ...world.ids,
        dashboardId: world.ids['dashboardId']?.slice(0, 1) ?? [],
      });
      for (const name of [
        'getDashboard',
        'getDashboardResults',
        'getReport',
        'runReport',
        'previewSourceTable',
        'listFolders',
        'listComments',
        'exportDashboard',
      ]) {
        const sent = routes.filter(({ id }) => id === name);
        assert.ok((await findLeaks(sent, owner, [secret])).length > 0, name);
      }
    });

    test('has no secret for a member without access, not even after all changes that the member may make', async () => {
      const member = toAttacker(world.member, world.ids);
      await attackWithEverything(member, [secret]);
      assert.ok(member.tokens.length > 0);
    });

    test('has nothing of the organization for people of another one', async () => {
      await attackWithEverything(toAttacker(world.stranger, world.ids), [secret, internal]);
    });
  },
  ['SQLite'],
);

/** The most things of a kind that an attacker creates, so that the number of requests doesn't explode. */
const maxCreated = 3;

/** Adds what a response has created to what its attacker knows. */
function remember(
  { ids, tokens }: Attacker,
  { id: routeId, location }: Route,
  { status, body }: TestResponse,
): void {
  if (status !== 201) return;
  if (routeId === 'createDisplayLink') tokens.push(body.token);
  const of = routes.find(
    ({ method, path }) => method === 'GET' && path.replace(/\{\w+\}$/, '{id}') === location,
  );
  const name = /\{(\w+)\}$/.exec(of?.path ?? '')?.[1] ?? '';
  const known = ids[name];
  created.set(known, (created.get(known) ?? 0) + 1);
  if ((created.get(known) ?? 0) <= maxCreated) known?.push(body.id);
}

const created = new Map<readonly string[] | undefined, number>();

/** Returns what a response says, in lowercase. */
function textOf({ text, bytes, headers }: TestResponse): string {
  const isWorkbook = String(headers['content-type']).includes('spreadsheetml');
  const content = isWorkbook ? JSON.stringify([...readSheets(bytes)]) : text;
  return `${JSON.stringify(headers)} ${content}`.toLowerCase();
}
