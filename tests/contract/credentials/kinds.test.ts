import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sessionCookie } from '#contract/accounts/sessions.ts';
import {
  toBearerToken,
  tokenPrefixes,
  type TokenKind,
} from '../../../src/server/base/credentials/bearer-tokens.ts';
import {
  authorizeByCode,
  authorizeClient,
  basic,
  commandLine,
  createClient,
  giveCode,
  sendForm,
} from '../../support/credentials/oauth.ts';
import { bearer, createServiceAccount, createToken } from '../../support/credentials/tokens.ts';
import {
  describeOnUsualEngine,
  startTestServer,
  type TestResponse,
} from '../../support/server/test-server.ts';

/** What a person or a program can have, each with the only places that accept it. */
const accepted: Readonly<Record<string, readonly string[]>> = {
  session: ['cookie'],
  personal: ['bearer'],
  serviceAccount: ['bearer'],
  access: ['bearer'],
  clientSecret: ['client secret'],
  refresh: ['refresh token'],
  authorizationCode: ['code'],
  device: ['device code'],
  display: ['display'],
  invitation: ['invitation'],
};

describe('the kinds of tokens', () => {
  test('are all compared', () => {
    const missing = Object.keys(tokenPrefixes).filter((kind) => !(kind in accepted));
    assert.deepEqual(missing, []);
  });
});

describeOnUsualEngine('a credential of one kind', (engine) => {
  async function startOffice(context: Parameters<typeof startTestServer>[0]) {
    const server = await startTestServer(context, engine);
    const owner = await server.createPerson('Owner');
    const organizationId = await server.createOrganization(owner);
    const path = `/api/organizations/${organizationId}`;
    const board = await server.call('POST /api/dashboards', {
      as: owner,
      body: { name: 'D', organizationId },
    });
    const client = await createClient(server, owner, { organizationId });
    const approval = { organizationId, scopes: ['read'] };
    const { clientId: client_id, redirectUri: redirect_uri } = commandLine;
    const started = await sendForm(server, 'device_authorization', { client_id, scope: 'read' });
    const approve = { userCode: started.body.user_code, ...approval };
    await server.call('POST /api/auth/device-requests/approve', { as: owner, body: approve });
    const [given, byCode] = [
      await giveCode(server, owner, approval),
      await authorizeByCode(server, owner, approval),
    ];
    const link = await server.call(`POST /api/dashboards/${board.body.id}/display-links`, {
      as: owner,
      body: { name: 'Lobby' },
    });
    const invited = await server.call(`POST ${path}/invitations`, {
      as: owner,
      body: { email: 'new@example.com', role: 'viewer' },
    });
    const credentials: Readonly<Record<string, string>> = {
      session: owner.token,
      personal: (await createToken(server, owner, { organizationId })).token,
      serviceAccount: (await createServiceAccount(server, owner, { organizationId })).token,
      access: await authorizeClient(server, client),
      clientSecret: client.clientSecret,
      refresh: byCode.refresh_token,
      authorizationCode: given.code,
      device: started.body.device_code,
      display: link.body.token,
      invitation: String(invited.body.link).split('#')[1] ?? '',
    };
    const ask = (form: Readonly<Record<string, string>>, headers = {}) =>
      sendForm(server, 'token', { client_id, ...form }, headers);
    const places: Readonly<Record<string, (text: string) => Promise<TestResponse>>> = {
      cookie: (text) => server.call(`GET ${path}`, { headers: { cookie: `${sessionCookie}=${text}` } }),
      bearer: (text) => server.call(`GET ${path}`, bearer({ token: text })),
      'client secret': (text) =>
        sendForm(server, 'token', { grant_type: 'client_credentials' }, basic(client.clientId, text)),
      'refresh token': (text) => ask({ grant_type: 'refresh_token', refresh_token: text }),
      code: (text) =>
        ask({ grant_type: 'authorization_code', code: text, redirect_uri, code_verifier: given.verifier }),
      'device code': (text) =>
        ask({ grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: text }),
      display: (text) => server.call('GET /api/display', bearer({ token: text })),
      invitation: (text) => server.call('POST /api/invitations/read', { body: { token: text } }),
    };
    return { credentials, places };
  }

  test('is accepted in its own place, and nowhere else', async (context) => {
    const { credentials, places } = await startOffice(context);
    const found: Record<string, string[]> = {};
    for (const [kind, text] of Object.entries(credentials)) {
      assert.ok(text.length >= 43, `${kind}: ${text}`);
      found[kind] = [];
      // Its own place last, which may use it up.
      const own = accepted[kind] ?? [];
      const names = Object.keys(places).toSorted((a, b) => Number(own.includes(a)) - Number(own.includes(b)));
      for (const name of names) {
        const { status } = (await places[name]?.(text)) ?? assert.fail(name);
        assert.ok([200, 400, 401, 404].includes(status), `${kind} as ${name}: ${status}`);
        if (status === 200) found[kind].push(name);
      }
    }
    assert.deepEqual(found, accepted);
  });

  test('is not another’s with a changed prefix, even with the right checksum', async (context) => {
    const { credentials, places } = await startOffice(context);
    const kinds = Object.keys(tokenPrefixes) as TokenKind[];
    for (const kind of kinds) {
      for (const other of kinds.filter((each) => each !== kind)) {
        const text = toBearerToken(other, bytesOf(credentials[kind] ?? ''));
        for (const [name, send] of Object.entries(places))
          assert.notEqual((await send(text)).status, 200, `${kind} as ${other} in ${name}`);
      }
    }
  });
});

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns the secret bytes of a token. */
function bytesOf(token: string): Buffer {
  let number = 0n;
  for (const digit of token.slice(-49, -6)) number = number * 62n + BigInt(digits.indexOf(digit));
  return Buffer.from(number.toString(16).padStart(64, '0'), 'hex');
}
