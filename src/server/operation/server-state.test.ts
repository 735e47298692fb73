import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setPassword } from '../../../tests/support/organizations/passwords.ts';
import { codeOf } from '../../../tests/support/organizations/second-factors.ts';
import { makeOperator } from '../../../tests/support/organizations/operators.ts';
import { testSandbox } from '../../../tests/support/data-sources/query-sandbox.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
  type Person,
} from '../../../tests/support/server/test-server.ts';
import { setOperator } from '../organizations/operators.ts';
import { readSettings } from '../settings/settings.ts';
import { ensureFirstOwner } from '../accounts/set-up.ts';
import { settingsInEffect } from './settings-in-effect.ts';

const forbidden = { status: 403, code: 'forbidden' };

describeOnUsualEngine('the state of the server', (engine) => {
  test('is only for operators, not for owners of organizations', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, eve] = [await server.createPerson('Ada'), await server.createPerson('Eve')];
    const organizationId = await server.createOrganization(eve);
    await makeOperator(server, ada);
    const { status, body } = await server.call('GET /api/server', { as: ada });
    assert.equal(status, 200);
    assert.deepEqual(
      [body.version, body.nodeVersion, body.database.engine, body.logLevel, body.dataDirectory.path],
      ['0.0.0-test', process.version, engine, 'debug', server.dataDirectory],
    );
    const { state: isolation } = await testSandbox();
    assert.deepEqual(body.queries, { running: 0, waiting: 0, processes: 0, isolation });
    assert.ok(body.dataDirectory.freeBytes <= body.dataDirectory.totalBytes && body.memoryBytes > 0);
    for (const as of [eve, await server.createSsoSession(eve, organizationId)]) {
      assert.deepEqual(problemOf(await server.call('GET /api/server', { as })), forbidden);
      const change = await server.call('PATCH /api/server', { as, body: { logLevel: 'silent' } });
      assert.deepEqual(problemOf(change), forbidden);
    }
  });

  test('is not for an operator in a session from one organization’s directory', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(ada);
    await makeOperator(server, ada);
    const as = await server.createSsoSession(ada, organizationId);
    assert.deepEqual(problemOf(await server.call('GET /api/server', { as })), forbidden);
  });

  test('is closed to operators without a second factor, and to nobody else for that reason', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, eve] = [await server.createPerson('Ada'), await server.createPerson('Eve')];
    await setPassword(server, ada, 'correct horse battery');
    await server.database.write((transaction) => setOperator(transaction, ada.id, true));
    const missing = { status: 403, code: 'second_factor_missing' };
    const call = (as: Person, line: string, body?: object) =>
      server.call(line, { as, ...(body && { body }) });
    const before = await call(ada, 'GET /api/server');
    assert.deepEqual(problemOf(before), missing);
    assert.match(before.body.detail, /Set up a passkey or an authenticator app in your account/);
    assert.deepEqual(problemOf(await call(ada, 'PATCH /api/server', { logLevel: 'silent' })), missing);
    assert.deepEqual(problemOf(await call(eve, 'GET /api/server')), forbidden);
    // All that isn't about the server works without one.
    const organization = await call(ada, 'POST /api/organizations', { name: 'Engines' });
    assert.equal(organization.status, 201, organization.text);
    const board = { name: 'Board', organizationId: organization.body.id };
    assert.equal((await call(ada, 'POST /api/dashboards', board)).status, 201);

    const { body } = await call(ada, 'POST /api/auth/authenticator-app');
    assert.deepEqual(
      problemOf(await call(ada, 'GET /api/server')),
      missing,
      'not before the code is entered',
    );
    const code = codeOf(server, body.secret);
    const { email } = ada;
    const credentials = { email, password: 'correct horse battery' };
    const other = await server.call('POST /api/auth/sign-in/email', { body: credentials });
    assert.equal((await call(ada, 'POST /api/auth/authenticator-app/confirm', { code })).status, 200);
    assert.equal((await call(ada, 'GET /api/server')).status, 200);
    const headers = { cookie: String(other.headers['set-cookie']).split(';')[0] ?? '' };
    const byPassword = await server.call('GET /api/server', { headers });
    assert.equal(byPassword.status, 401, 'a session that started with only the password');
    assert.equal((await call(ada, 'DELETE /api/auth/authenticator-app')).status, 204);
    assert.deepEqual(problemOf(await call(ada, 'GET /api/server')), missing, 'after removing it');
  });

  test('the first owner is an operator, who can create what others can, and then sets up a second factor', async (context) => {
    const server = await startTestServer(context, engine);
    const account = { email: 'ada@example.com', password: 'correct horse battery' };
    await ensureFirstOwner(server.database, Date.now, { ...account, name: 'Ada', organization: 'Engines' });
    const { headers } = await server.call('POST /api/auth/sign-in/email', { body: account });
    const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
    const call = async (line: string, body?: object) =>
      (await server.call(line, { headers: { cookie }, ...(body && { body }) })).status;
    assert.equal(await call('POST /api/organizations', { name: 'Second' }), 201);
    assert.equal(await call('GET /api/server'), 403);
    const { body } = await server.call('POST /api/auth/authenticator-app', { headers: { cookie } });
    const code = codeOf(server, body.secret);
    assert.equal(await call('POST /api/auth/authenticator-app/confirm', { code }), 200);
    assert.equal(await call('GET /api/server'), 200);
  });

  test('shows a changed log level at once', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    await makeOperator(server, ada);
    const change = (body: object) => server.call('PATCH /api/server', { as: ada, body });
    const { body } = await change({ logLevel: 'warn' });
    assert.equal(body.logLevel, 'warn');
    assert.ok(server.log.some((line) => line.includes('The log level was changed') && line.includes(ada.id)));
    assert.equal(body.logRequests, false);
    const wrong = { status: 400, code: 'invalid_body', faults: ['/logLevel enum'] };
    for (const logLevel of ['loud', '', 'WARN'])
      assert.deepEqual(problemOf(await change({ logLevel })), wrong);
  });

  test('switches the log of requests on and off at once', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    await makeOperator(server, ada);
    const change = (body: object) => server.call('PATCH /api/server', { as: ada, body });
    const countLines = async (): Promise<number> => {
      const before = server.log.length;
      await server.call('GET /api/organizations', { as: ada });
      return server.log.slice(before).filter((line) => line.includes('"msg":"Request"')).length;
    };
    assert.equal(await countLines(), 0);
    const { body } = await change({ logRequests: true });
    assert.deepEqual([body.logRequests, body.logLevel], [true, 'debug']);
    assert.ok(server.log.some((line) => line.includes('The log of requests was changed')));
    assert.equal(await countLines(), 1);
    await change({ logRequests: false });
    assert.equal(await countLines(), 0);
    const wrong = { status: 400, code: 'invalid_body', faults: ['/logRequests type'] };
    assert.deepEqual(problemOf(await change({ logRequests: 'yes' })), wrong);
  });
});

test('the settings in effect list every variable, and no secret', () => {
  const canary = 'canary-canary-canary-canary-canary';
  const environment = {
    DATABASE_URL: `postgres://atrium:${canary}@db.example/atrium`,
    ATRIUM_SECRET_KEY: canary,
    ATRIUM_OWNER_EMAIL: 'ada@example.com',
    ATRIUM_OWNER_PASSWORD: canary,
    ATRIUM_ORGANIZATION: 'Engines',
    ATRIUM_SMTP_URL: `smtps://atrium:${canary}@mail.example`,
    ATRIUM_DNS_SERVERS: '[::1]:53,127.0.0.1:5353',
  };
  const settings = settingsInEffect(readSettings(environment));
  assert.ok(!JSON.stringify(settings).includes('canary'));
  const byName = Object.fromEntries(settings.map(({ name, ...rest }) => [name, rest]));
  assert.deepEqual(byName['ATRIUM_SMTP_URL'], { isSecret: true, isSet: true });
  assert.deepEqual(byName['ATRIUM_SECRET_KEY'], { isSecret: true, isSet: true });
  assert.deepEqual(byName['ATRIUM_DNS_SERVERS'], {
    isSecret: false,
    isSet: true,
    value: '[::1]:53, 127.0.0.1:5353',
  });
  assert.deepEqual(byName['ATRIUM_TRUSTED_PROXIES'], { isSecret: false, isSet: false });
  assert.equal(byName['ATRIUM_LOG_LEVEL']?.value, 'info');
});
