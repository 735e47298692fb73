import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEndOf } from '../../support/endings.ts';
import { startTestServer } from '../../support/server/test-server.ts';
import { startDirectory } from '../../support/sso/directory.ts';
import { createOrganization } from '../../support/sso/organization.ts';

/** The only organization that may use the private host, which the operator has named. */
const allowedId = '01a21a2b-6c17-7000-9797-5d7dc933fab8';

test('the private host of one organization serves no sign-in, status or test of another one', async (context) => {
  const directory = await startDirectory();
  atEndOf(context, directory.stop);
  const server = await startTestServer(context, 'SQLite', {
    ATRIUM_SSO_PRIVATE_HOSTS: `${directory.host}=${allowedId}`,
  });
  const at = new Date(server.clock()).toISOString();
  await server.database.write((transaction) =>
    transaction.execute(
      `insert into organizations (id, name, created_at, updated_at) values ('${allowedId}', 'Corp', '${at}', '${at}')`,
    ),
  );
  const allowed = await createOrganization(server, { directory, id: allowedId }, 'corp.example');
  const other = await createOrganization(server, { directory }, 'other.example');

  assert.equal((await server.call(`GET /api/sso/start/${other.id}`)).status, 403);
  assert.deepEqual(
    (await other.refusals()).map(({ code }) => code),
    ['address_refused'],
  );
  const tested = await other.call('POST /config/test');
  assert.notEqual(tested.status, 201, tested.text);
  assert.ok(!tested.text.includes('authorization_endpoint'));

  assert.equal((await allowed.signIn(allowed.addPerson('Ada'))).status, 302);
});
