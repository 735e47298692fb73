import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SignJWT } from 'jose';
import { basic, sendForm } from '../../../../tests/support/credentials/oauth.ts';
import { describeOnUsualEngine, startTestServer } from '../../../../tests/support/server/test-server.ts';

const hostile = [
  '\0',
  'atrium-cli\0',
  '\ud800',
  '\u202e',
  '__proto__',
  'constructor',
  "' or 1=1 --",
  '%00',
  '\r\nset-cookie: a=b',
  'x'.repeat(1_000),
];

describeOnUsualEngine('the endpoints of OAuth', (engine) => {
  test('refuse hostile parameters without a failure', async (context) => {
    const server = await startTestServer(context, engine);
    const grants = ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'];
    for (const text of hostile) {
      const responses = [
        ...(await Promise.all(
          grants.map((grant_type) =>
            sendForm(server, 'token', {
              grant_type,
              client_id: text,
              code: text,
              refresh_token: text,
              device_code: text,
              redirect_uri: text,
            }),
          ),
        )),
        await sendForm(server, 'token', { grant_type: text }),
        await sendForm(
          server,
          'token',
          { grant_type: 'client_credentials', [text]: text },
          basic(text, text),
        ),
        await sendForm(server, 'device_authorization', { client_id: text }),
        await sendForm(server, 'device_authorization', { client_id: 'atrium-cli', scope: text }),
        await server.call('POST /api/oauth/register', {
          body: { client_name: text, redirect_uris: [`https://agent.example/${text}`] },
        }),
        await server.call('POST /api/oauth/register', {
          body: { client_name: 'Agent', redirect_uris: [`https://agent.example/${text}`] },
        }),
      ];
      for (const { status, text: body, headers } of responses) {
        assert.ok(
          [201, 400, 401].includes(status),
          `${JSON.stringify(text.slice(0, 20))}: ${status} ${body}`,
        );
        assert.equal(headers['set-cookie'], undefined);
      }
    }
  });

  test('refuse assertions of clients with hostile IDs without a failure', async (context) => {
    const server = await startTestServer(context, engine);
    for (const iss of hostile) {
      const assertion = await new SignJWT({ iss, sub: iss })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new Uint8Array(32));
      const { status } = await sendForm(server, 'token', {
        grant_type: 'client_credentials',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: assertion,
      });
      assert.ok([400, 401].includes(status), `${JSON.stringify(iss.slice(0, 20))}: ${status}`);
    }
  });

  test('refuse bodies that are no metadata', async (context) => {
    const server = await startTestServer(context, engine);
    const register = (body: unknown) => server.call('POST /api/oauth/register', { body });
    const bodies = [
      null,
      [],
      'text',
      7,
      { redirect_uris: {} },
      { redirect_uris: [['https://agent.example/']] },
      { redirect_uris: 'https://agent.example/' },
      JSON.parse('{"__proto__":{"redirect_uris":["https://agent.example/"]}}') as unknown,
    ];
    for (const body of bodies) assert.equal((await register(body)).status, 400, JSON.stringify(body));
    const deep = await server.call('POST /api/oauth/register', {
      headers: { 'content-type': 'application/json' },
      body: `${'['.repeat(8_000)}${']'.repeat(8_000)}`,
    });
    assert.equal(deep.status, 400);
  });
});
