import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnUsualEngine, startTestServer } from '../../../../tests/support/server/test-server.ts';
import { readSettings } from '../../settings/settings.ts';
import { findSharedHosts } from './shared-hosts.ts';

describeOnUsualEngine('a private host without an organization', (engine) => {
  test('is warned of if there are several organizations', async (context) => {
    const server = await startTestServer(context, engine);
    const settings = readSettings({
      ATRIUM_SSO_PRIVATE_HOSTS: 'adfs.corp.example:443,[::1]:8400,shared.example:443=*',
      ATRIUM_SOURCE_PRIVATE_HOSTS: 'db.corp.example:5432=01a21a2b-6c17-7000-9797-5d7dc933fab8',
    });
    const owner = await server.createPerson();
    await server.createOrganization(owner);
    assert.deepEqual(await findSharedHosts(server.database, settings), []);
    await server.createOrganization(owner);
    assert.deepEqual(await findSharedHosts(server.database, settings), [
      {
        message: 'ATRIUM_SSO_PRIVATE_HOSTS: every organization may use adfs.corp.example:443, [::1]:8400.',
        remedy: 'Add the ID of the one that it is for, as in host:port=ORGANIZATION_ID, or =* for all.',
      },
    ]);
  });
});
