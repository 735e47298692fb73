import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import {
  cookieOf,
  ownerSettings,
  send,
  signInOwner,
  startServerProcess,
  temporaryDirectory,
  type Account,
} from '../support/server/server-process.ts';

/** Much less than all that the exports would read. */
const heapMb = 128;
const dashboardsOfEach = 100;
const exportsOfEach = 5;
/** What doesn't fit into the buffers of a connection, as random text, since archives are compressed. */
const description = randomBytes(735_000).toString('base64');
/** Far longer than anybody waits usually, on a machine that runs other tests. */
const maxWaitMs = 5_000;

type Stranger = Pick<Account, 'url' | 'cookie'>;

test('accounts without an organization store much, and don’t read their exports: a server with a small heap serves others', async (context) => {
  const dataDirectory = temporaryDirectory(context);
  const server = await startServerProcess(context, {
    environment: {
      ...ownerSettings,
      ATRIUM_DATA_DIR: dataDirectory,
      NODE_OPTIONS: `--max-old-space-size=${heapMb}`,
    },
  });
  const owner = await signInOwner(server);
  const strangers = [await addStranger(owner, 'mallory'), await addStranger(owner, 'eve')];
  for (const stranger of strangers) {
    const body = { name: 'D', description };
    assert.equal((await send(stranger, 'POST /api/dashboards', { body })).status, 201);
  }
  copyDashboards(dataDirectory);

  const exports = await Promise.all(
    strangers.flatMap((stranger) => Array.from({ length: exportsOfEach }, () => openExport(stranger))),
  );
  context.after(() => exports.forEach((response) => response.destroy()));
  const statuses = exports.map(({ statusCode }) => statusCode);
  assert.equal(statuses.filter((status) => status === 200).length, strangers.length, String(statuses));

  for (let round = 0; round < 20; round += 1) {
    const startedAt = performance.now();
    const body = { name: `D${round}`, organizationId: owner.organizationId };
    assert.equal((await send(owner, 'POST /api/dashboards', { body })).status, 201);
    assert.equal((await send(owner, 'GET /api/dashboards')).status, 200);
    const waitedMs = performance.now() - startedAt;
    assert.ok(waitedMs < maxWaitMs, `${waitedMs} ms`);
  }
  assert.equal(server.exit(), undefined);
});

/** Adds an account, which is soon in no organization. */
async function addStranger(owner: Account, name: string): Promise<Stranger> {
  const { url, organizationId } = owner;
  const organization = `/api/organizations/${organizationId}`;
  const email = `${name}@example.com`;
  const password = `the password of ${name}`;
  const invited = await send(owner, `POST ${organization}/invitations`, { body: { email, role: 'viewer' } });
  const token = new URL(invited.body.link).hash.slice(1);
  const joined = await send({ url }, 'POST /api/invitations/sign-up', { body: { token, name, password } });
  assert.equal(joined.status, 201, JSON.stringify(joined.body));
  const { body: members } = await send(owner, `GET ${organization}/members`);
  const { userId } = members.items.find((member: { email: string }) => member.email === email);
  assert.equal((await send(owner, `DELETE ${organization}/members/${userId}`)).status, 204);
  const signedIn = await send({ url }, 'POST /api/auth/sign-in/email', { body: { email, password } });
  return { url, cookie: cookieOf(signedIn.headers) };
}

/** Copies each dashboard often, which by requests would take most of the time of the test. */
function copyDashboards(dataDirectory: string): void {
  const database = new DatabaseSync(join(dataDirectory, 'atrium.sqlite'));
  const columns = (database.prepare('pragma table_info(dashboards)').all() as { name: string }[]).map(
    ({ name }) => name,
  );
  const values = columns.map((name) => (name === 'id' ? "substr(id, 1, 28) || printf('%08x', n)" : name));
  database.exec(`pragma synchronous = off;
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${dashboardsOfEach})
    insert into dashboards (${columns.join()}) select ${values.join()} from dashboards, numbers`);
  database.close();
}

/** Resolves once a response begins, and reads nothing of it. */
function openExport({ url, cookie }: Stranger): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const options = { headers: { cookie }, agent: false };
  request(`${url}/api/auth/account/export`, options, resolve).once('error', reject).end();
  return promise;
}
