import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathOf, linkTokenOf } from '../../support/sso/responses.ts';
import { password } from '../../support/sso/organization.ts';
import { startProvisioning } from '../../support/sso/provisioning.ts';
import { describeSignIns } from '../../support/sso/world.ts';

describeSignIns(
  'a sign-in that is in progress while the directory ends the access of its person',
  (world) => {
    test('doesn’t make a member of a person who was deleted', async () => {
      const organization = await world.createOrganization();
      const scim = await startProvisioning(world.server, organization);
      const subject = organization.addPerson('Leaver');
      const person = await organization.enter(subject);
      const { url, cookie } = await organization.start();
      const callback = pathOf(await organization.directory.signIn(url, subject));
      assert.equal((await scim.call(`DELETE /Users/${person.id}`)).status, 204);
      const response = await world.server.call(`GET ${callback}`, { headers: { cookie } });
      assert.equal(response.status, 400, response.text);
      assert.equal(await organization.roleOf(person), undefined);
    });

    test('doesn’t link the account of a person who was deactivated or deleted', async () => {
      for (const method of ['deactivate', 'delete']) {
        const organization = await world.createOrganization();
        const scim = await startProvisioning(world.server, organization);
        const person = await organization.addAccount('Leaver', 'editor');
        const started = await organization.start();
        const token = linkTokenOf(await organization.complete(started, organization.addPerson('Leaver')));
        if (method === 'delete') assert.equal((await scim.call(`DELETE /Users/${person.id}`)).status, 204);
        else await scim.setActive(person.id, false);
        const response = await world.server.call('POST /api/sso/sign-in/link', {
          body: { token, password },
          headers: { cookie: started.cookie },
        });
        assert.ok([400, 403].includes(response.status), `${method} ${response.text}`);
        assert.equal(await organization.roleOf(person), undefined);
      }
    });
  },
);
