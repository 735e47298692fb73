import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { storePasskey } from '../../../../tests/support/credentials/authenticator.ts';
import {
  authorizeByCode,
  commandLine,
  giveCode,
  sendForm,
  useCode,
} from '../../../../tests/support/credentials/oauth.ts';
import { bearer, createToken } from '../../../../tests/support/credentials/tokens.ts';
import { callMessage, saveBoard, startMcpOffice } from '../../../../tests/support/mcp/office.ts';
import { setPassword } from '../../../../tests/support/organizations/passwords.ts';
import { setUpApp } from '../../../../tests/support/organizations/second-factors.ts';
import { runOn } from '../../../../tests/support/server/commands.ts';
import { listenForEvents } from '../../../../tests/support/server/event-reader.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
  type Engine,
  type Person,
  type TestServer,
} from '../../../../tests/support/server/test-server.ts';
import { prepare } from '../../storage/prepared-query.ts';

const password = 'correct horse battery';
const missing = { status: 403, code: 'second_factor_missing' };
const ended = { event: 'ended', data: { reason: 'second_factor_missing' } };

describeOnUsualEngine('the ways into an organization that requires a second factor', (engine) => {
  test('include tools for language models, with a token or for a program, from before', async (context) => {
    const office = await startMcpOffice(context, engine);
    const { server, organizationId, owner } = office;
    await setPassword(server, owner, password);
    await setUpApp(server, owner);
    const editor = await createMember(server, organizationId);
    const { token } = await createToken(server, editor, { organizationId });
    const program = await authorizeByCode(server, editor, { organizationId, scopes: ['read'] });
    const dashboardId = await saveBoard(office, []);
    const call = async (sent: string, name: string, input: object) => {
      const response = await office.post(callMessage(name, input), { authorization: `Bearer ${sent}` });
      return response.text();
    };
    const callAll = async () => {
      const all = [];
      for (const sent of [token, program.access_token])
        all.push(
          await call(sent, 'read_dashboard', { dashboardId }),
          await call(sent, 'search', { words: 'Board' }),
        );
      return all;
    };
    for (const text of await callAll()) assert.match(text, /For the desk|Board/);
    await requireFactor(server, organizationId, owner);
    const [byToken = '', search = '', ...ofProgram] = await callAll();
    assert.match(byToken, /second_factor_missing/);
    assert.doesNotMatch(byToken + search, /For the desk/);
    assert.deepEqual(ofProgram, [byToken, search], 'the same for the program');
    await storePasskey(server, editor);
    for (const text of await callAll()) assert.doesNotMatch(text, /second_factor_missing/);
  });

  test('include programs: neither a code nor a refresh token from before opens it, and no new one is given', async (context) => {
    const { server, owner, organizationId, editor } = await startOrganization(context, engine);
    const approval = { organizationId, scopes: ['read'] };
    const given = await giveCode(server, editor, approval);
    const before = await authorizeByCode(server, editor, approval);
    await requireFactor(server, organizationId, owner);
    const read = (token: string) =>
      server.call(`GET /api/organizations/${organizationId}`, bearer({ token }));
    assert.deepEqual(problemOf(await read(before.access_token)), missing);
    const exchanged = (await useCode(server, given)).body;
    assert.deepEqual(problemOf(await read(exchanged.access_token)), missing);
    const refresh = async (refresh_token: string) => {
      const form = { grant_type: 'refresh_token', client_id: commandLine.clientId, refresh_token };
      return (await sendForm(server, 'token', form)).body;
    };
    const refreshed = await refresh(before.refresh_token);
    assert.deepEqual(problemOf(await read(refreshed.access_token)), missing);
    const consent = await server.call('POST /api/auth/authorizations', {
      as: editor,
      body: {
        ...commandLine,
        responseType: 'code',
        codeChallenge: 'x'.repeat(43),
        codeChallengeMethod: 'S256',
        scope: 'read',
        approval,
      },
    });
    assert.deepEqual(problemOf(consent), missing);
    const started = await sendForm(server, 'device_authorization', {
      client_id: commandLine.clientId,
      scope: 'read',
    });
    const device = { userCode: started.body.user_code, ...approval };
    const approved = await server.call('POST /api/auth/device-requests/approve', {
      as: editor,
      body: device,
    });
    assert.deepEqual(problemOf(approved), missing);

    await setUpApp(server, editor);
    const last = await refresh(refreshed.refresh_token);
    for (const { access_token: token } of [before, exchanged, refreshed, last])
      assert.equal((await read(token)).status, 200);
  });

  test('include streams of a dashboard that were open before, which end with the requirement and with the last factor', async (context) => {
    const { server, owner, organizationId, editor } = await startOrganization(context, engine);
    const created = await server.call('POST /api/dashboards', {
      as: owner,
      body: { name: 'Board', organizationId },
    });
    const open = await listenForEvents(context, server);
    const follow = async (as: Person) => {
      const events = await open(as, `/api/dashboards/${created.body.id}/events`);
      assert.equal((await events.next())?.event, 'state');
      return async () => {
        let event = await events.next();
        while (event?.event === 'viewing') event = await events.next();
        return event;
      };
    };
    const [ofOwner, ofEditor] = [await follow(owner), await follow(editor)];
    await requireFactor(server, organizationId, owner);
    assert.deepEqual(await ofEditor(), ended);
    const refused = await server.call(`GET /api/dashboards/${created.body.id}/events`, { as: editor });
    assert.deepEqual(problemOf(refused), missing);
    await server.call(`PATCH /api/dashboards/${created.body.id}`, {
      as: owner,
      headers: { 'if-match': '*' },
      body: { name: 'Renamed' },
    });
    assert.equal((await ofOwner())?.event, 'saved', 'the owner has a second factor');
    assert.equal((await server.call('DELETE /api/auth/authenticator-app', { as: owner })).status, 204);
    assert.deepEqual(await ofOwner(), ended);
  });

  test('include wall displays that a person created without a second factor', async (context) => {
    const { server, owner, organizationId, editor } = await startOrganization(context, engine);
    const board = { name: 'Board', organizationId };
    const { id } = (await server.call('POST /api/dashboards', { as: editor, body: board })).body;
    const create = async (as: Person) => {
      const line = `POST /api/dashboards/${id}/display-links`;
      const link = await server.call(line, { as, body: { name: 'Lobby' } });
      assert.equal(link.status, 201, link.text);
      return bearer(link.body);
    };
    const [theirs, ofOwner] = [await create(editor), await create(owner)];
    await requireFactor(server, organizationId, owner);
    for (const path of ['', '/results'])
      assert.equal((await server.call(`GET /api/display${path}`, theirs)).body?.code, 'link_not_valid', path);
    // A display says no more than that its link doesn't work.
    assert.equal((await server.call('GET /api/display', ofOwner)).status, 200);
    await storePasskey(server, editor);
    assert.equal((await server.call('GET /api/display', theirs)).status, 200);
  });

  test('are closed by removing both factors at the same time, which leaves no recovery codes either', async (context) => {
    const { server, owner, organizationId, editor } = await startOrganization(context, engine);
    await requireFactor(server, organizationId, owner);
    const path = `/api/organizations/${organizationId}`;
    for (let round = 0; round < 10; round += 1) {
      const passkeyIds = [await storePasskey(server, editor), await storePasskey(server, editor)];
      await server.database.write((transaction) =>
        transaction.execute(
          `insert into recovery_codes (code_hash, user_id, created_at) values ('x', '${editor.id}', '')`,
        ),
      );
      assert.equal((await server.call(`GET ${path}`, { as: editor })).status, 200);
      const removed = await Promise.all(
        passkeyIds.map((id) => server.call(`DELETE /api/auth/passkeys/${id}`, { as: editor })),
      );
      assert.deepEqual(
        removed.map(({ status }) => status),
        [204, 204],
      );
      assert.deepEqual(problemOf(await server.call(`GET ${path}`, { as: editor })), missing);
      assert.equal((await server.database.all(recoveryCodes, { userId: editor.id })).length, 0, `${round}`);
    }
    const signIn = await server.call('POST /api/auth/sign-in/email', {
      body: { email: editor.email, password },
    });
    assert.equal(signIn.status, 200, 'the account itself stays open');
  });

  test('are closed again by an operator’s reset and by a new password, also to the tokens of the person', async (context) => {
    const { server, owner, organizationId, editor } = await startOrganization(context, engine);
    const directoryOnly = await server.createMember(organizationId, 'editor');
    await requireFactor(server, organizationId, owner);
    const path = `/api/organizations/${organizationId}`;
    const token = bearer(await createToken(server, directoryOnly, { organizationId }));
    assert.equal((await server.call(`GET ${path}`, token)).status, 200);
    await setPassword(server, directoryOnly, password);
    assert.deepEqual(problemOf(await server.call(`GET ${path}`, token)), missing, 'once there is a password');
    await setUpApp(server, editor);
    assert.equal((await server.call(`GET ${path}`, { as: editor })).status, 200);
    const reset = await runOn(server, ['user', 'reset-second-factor', '--email', editor.email]);
    assert.equal(reset.exitCode, 0, reset.errorOutput);
    assert.deepEqual(problemOf(await server.call(`GET ${path}`, { as: editor })), missing);
  });
});

const recoveryCodes = prepare((sql, p: { userId: string }) =>
  sql.selectFrom('recovery_codes').select('user_id').where('user_id', '=', p.userId),
);

/** Starts a server with an organization whose owner has a second factor, and whose editor has a password only. */
async function startOrganization(context: TestContext, engine: Engine) {
  const server = await startTestServer(context, engine);
  const owner = await server.createPerson('Owner');
  await setPassword(server, owner, password);
  await setUpApp(server, owner);
  const organizationId = await server.createOrganization(owner);
  return { server, owner, organizationId, editor: await createMember(server, organizationId) };
}

async function createMember(server: TestServer, organizationId: string): Promise<Person> {
  const editor = await server.createMember(organizationId, 'editor');
  await setPassword(server, editor, password);
  return editor;
}

/** Requires a second factor of everyone, as the owner. */
async function requireFactor(server: TestServer, organizationId: string, as: Person): Promise<void> {
  const body = { secondFactor: 'everyone', confirmSsoChanges: false };
  const saved = await server.call(`PUT /api/organizations/${organizationId}/authentication-policy`, {
    as,
    body,
  });
  assert.equal(saved.status, 200, saved.text);
}
