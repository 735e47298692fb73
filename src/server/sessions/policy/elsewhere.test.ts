import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearer, createToken } from '../../../../tests/support/credentials/tokens.ts';
import { setPassword } from '../../../../tests/support/organizations/passwords.ts';
import { describeOnUsualEngine, startTestServer } from '../../../../tests/support/server/test-server.ts';
import { hoursMs } from '../../base/clock.ts';
import { setSsoRequirement } from '../../organizations/organizations.ts';

describeOnUsualEngine('the policies of an organization', (engine) => {
  test('leaves the sessions, passwords and tokens of its members alone elsewhere', async (context) => {
    const server = await startTestServer(context, engine);
    const hostile = await server.createPerson('Eve');
    const bob = await server.createPerson('Bob');
    await setPassword(server, bob, 'correct horse battery');
    const [strict, own] = [await server.createOrganization(hostile), await server.createOrganization(bob)];
    await server.addMember(strict, bob, 'editor');
    const [there, here] = [
      await createToken(server, bob, { organizationId: strict }),
      await createToken(server, bob, { organizationId: own }),
    ];
    const display = async (organizationId: string) => {
      const { body } = await server.call('POST /api/dashboards', {
        as: bob,
        body: { name: 'D', organizationId },
      });
      const link = { as: bob, body: { name: 'Lobby' } };
      return (await server.call(`POST /api/dashboards/${body.id}/display-links`, link)).body.token as string;
    };
    const [displayThere, displayHere] = [await display(strict), await display(own)];
    const put = async (policy: string, body: object) => {
      const response = await server.call(`PUT /api/organizations/${strict}/${policy}`, { as: hostile, body });
      assert.equal(response.status, 200, response.text);
    };
    await put('token-policy', { personalTokens: false, maxDays: 1 });
    await put('session-policy', { idleMinutes: 15, absoluteHours: 1, maxSessions: 1 });
    await server.database.write((transaction) => setSsoRequirement(transaction, strict, true));
    server.advance(hoursMs(2));

    const read = async (organizationId: string, options: object) =>
      (await server.call(`GET /api/organizations/${organizationId}`, options)).status;
    const statuses = async (organizationId: string, token: { readonly token: string }, link: string) => [
      await read(organizationId, { as: bob }),
      await read(organizationId, bearer(token)),
      (await server.call('GET /api/display', bearer({ token: link }))).status,
    ];
    assert.deepEqual(await statuses(strict, there, displayThere), [403, 401, 404]);
    assert.deepEqual(await statuses(own, here, displayHere), [200, 200, 200]);
    const signedIn = await server.call('POST /api/auth/sign-in/email', {
      body: { email: bob.email, password: 'correct horse battery' },
    });
    assert.equal(signedIn.status, 200, signedIn.text);
  });
});
