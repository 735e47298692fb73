import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addPasskey as addPasskeyOf,
  challengeCookieOf,
  TestPasskey,
} from '../../../../tests/support/credentials/authenticator.ts';
import { setPassword } from '../../../../tests/support/organizations/passwords.ts';
import { codeOf, password, setUpApp } from '../../../../tests/support/organizations/second-factors.ts';
import {
  describeOnBothEngines,
  startTestServer,
  type Person,
  type TestServer,
} from '../../../../tests/support/server/test-server.ts';
import type { SessionActor } from '../../base/actor.ts';
import { authenticate } from '../../sessions/sessions.ts';
import type { Database } from '../../storage/database.ts';
import { confirmApp, removeApp, replaceRecoveryCodes } from '../second-factor/factors.ts';
import { createAttemptCounts } from '../attempt-counts.ts';
import { createSignInLimits } from '../sign-in-limits.ts';
import { addPasskey, removePasskey } from './passkeys.ts';
import { signInByPasskey } from './sign-in.ts';

const publicUrl = 'http://localhost:3000';

/** Returns the database, but something else happens before its nth write. */
function interrupted({ database }: TestServer, nth: number, happen: () => Promise<void>): Database {
  let writes = 0;
  return {
    ...database,
    write: async (work) => {
      if ((writes += 1) === nth) await happen();
      return database.write(work);
    },
  };
}

async function actorOf({ database, clock }: TestServer, { token }: Person): Promise<SessionActor> {
  const actor = await authenticate(database, clock, token);
  assert.ok(actor !== undefined);
  return actor;
}

/** Ada has an app and a passkey, and is signed in on two computers. */
async function startOffice(...begin: Parameters<typeof startTestServer>) {
  const server = await startTestServer(...begin);
  const ada = await server.createPerson('Ada');
  await setPassword(server, ada, password);
  const { passkey, id: passkeyId } = await addPasskeyOf(server, ada);
  await setUpApp(server, ada);
  const { body: options, ...started } = await server.call('POST /api/auth/sign-in/passkey/options');
  const signedIn = await server.call('POST /api/auth/sign-in/passkey', {
    headers: { cookie: challengeCookieOf({ body: options, ...started }) },
    body: { assertion: passkey.sign(options) },
  });
  const token = /session_token=([\w-]{43})/.exec(String(signedIn.headers['set-cookie']))?.[1] ?? '';
  const thief = await actorOf(server, { ...ada, token });
  const changePassword = async () => {
    const newPassword = 'a whole new passphrase';
    const body = { currentPassword: password, newPassword };
    const { status, text } = await server.call('POST /api/auth/change-password', { as: ada, body });
    assert.equal(status, 200, text);
  };
  return { server, ada, passkey, passkeyId, thief, changePassword };
}

const tokenOf = (cookie: string): string => cookie.split('=')[1] ?? '';

describeOnBothEngines('a change of the password', (engine) => {
  test('stops changes of second factors that began before, in sessions that it ends', async (context) => {
    const { server, ada, passkeyId, thief, changePassword } = await startOffice(context, engine);
    const { clock, secretBox } = server;
    const signInLimits = createSignInLimits(createAttemptCounts(server.database, clock));
    const made = new TestPasskey();
    const started = await server.call('POST /api/auth/passkeys/options', { as: ada });
    const credential = made.make(started.body);
    const challengeToken = tokenOf(challengeCookieOf(started));
    const app = await server.call('POST /api/auth/authenticator-app', { as: ada });
    const before = await server.call('GET /api/auth/second-factors', { as: ada });
    const changes: readonly ((database: Database) => Promise<unknown>)[] = [
      (database) =>
        addPasskey({ database, clock, publicUrl }, thief, { name: 'Thief', credential, challengeToken }),
      (database) =>
        confirmApp(
          { database, clock, secretBox, signInLimits, publicUrl },
          thief,
          codeOf(server, app.body.secret),
        ),
      (database) => removeApp({ database, clock, secretBox, signInLimits, publicUrl }, thief),
      (database) => removePasskey({ database, clock, publicUrl }, thief, passkeyId),
      (database) => replaceRecoveryCodes({ database, clock, secretBox, signInLimits, publicUrl }, thief),
    ];
    for (const [index, change] of changes.entries()) {
      // Adding a passkey first uses up its challenge. The other changes find that the session has ended.
      const database = interrupted(server, index === 0 ? 2 : 1, async () => {
        if (index === 0) await changePassword();
      });
      await assert.rejects(change(database), { code: 'unauthenticated' }, String(change));
    }
    assert.deepEqual((await server.call('GET /api/auth/second-factors', { as: ada })).body, before.body);
  });

  test('stops a sign-in with a passkey that began before', async (context) => {
    const { server, ada, passkey, changePassword } = await startOffice(context, engine);
    const started = await server.call('POST /api/auth/sign-in/passkey/options');
    const database = interrupted(server, 2, changePassword);
    const { clock } = server;
    const signInLimits = createSignInLimits(createAttemptCounts(server.database, clock));
    const client = { address: '127.0.0.1', userAgent: undefined };
    const assertion = passkey.sign(started.body);
    const challengeToken = tokenOf(challengeCookieOf(started));
    await assert.rejects(
      signInByPasskey(
        { database, clock, signInLimits, publicUrl },
        { assertion, challengeToken, client },
        () => {},
      ),
      { code: 'invalid_credentials' },
    );
    const { body } = await server.call('GET /api/auth/list-sessions', { as: ada });
    assert.equal(body.items.length, 1);
  });
});
