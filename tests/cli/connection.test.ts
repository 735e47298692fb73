import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { parseServerUrl } from '../../src/cli/connection/address.ts';
import { fetchWithin } from '../../src/cli/connection/fetch-within.ts';
import { readLogins, writeLogins } from '../../src/cli/connection/logins.ts';
import { runIn, startCliServer, temporaryFolder } from '../support/cli.ts';

const token = 'atrium_pat_0123456789012345678901234567890123456789012345678';

/** Starts an HTTP server on a free port, and returns its origin. */
async function startHost(context: TestContext, listener: RequestListener): Promise<string> {
  const host = createServer(listener);
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  context.after(() => void host.close());
  return `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
}

describe('the URL of a server', () => {
  const allowed = [
    ['https://atrium.example.com', 'https://atrium.example.com'],
    ['https://atrium.example.com:8443/', 'https://atrium.example.com:8443'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ] as const;
  for (const [text, origin] of allowed)
    test(`can be ${text}`, () => assert.equal(parseServerUrl(text), origin));

  const refused = [
    'http://atrium.example.com',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'http://127.0.0.1@example.com',
    'http://10.0.0.1',
    'http://[::ffff:10.0.0.1]',
    'https://ada:password@atrium.example.com',
    'https://atrium.example.com/path',
    'https://atrium.example.com/?query',
    'ftp://atrium.example.com',
    'atrium.example.com',
    '',
  ];
  for (const text of refused) test(`can't be ${text}`, () => assert.throws(() => parseServerUrl(text)));

  test('can be http to another machine if that is allowed', async () => {
    assert.equal(parseServerUrl('http://atrium.internal', true), 'http://atrium.internal');
    const refusal = await runIn({ ATRIUM_URL: 'http://atrium.internal', ATRIUM_TOKEN: token }, [
      'api',
      'GET',
      '/api/organizations',
    ]);
    assert.equal(refusal.code, 1);
    assert.match(refusal.errorOutput, /without encryption.*ATRIUM_ALLOW_HTTP/);
  });
});

describe('a token', () => {
  for (const status of [301, 302, 303, 307, 308])
    test(`isn't sent to the target of a redirect with ${status}`, async (context) => {
      const received: unknown[] = [];
      const thief = await startHost(context, ({ headers }, response) => {
        received.push(headers.authorization);
        response.end('{}');
      });
      const origin = await startHost(context, (_, response) =>
        response.writeHead(status, { location: `${thief}/api/organizations` }).end(),
      );
      const environment = { ATRIUM_URL: origin, ATRIUM_TOKEN: token };
      const commands = [
        ['api', 'GET', '/api/organizations'],
        ['report', 'run', 'Sales'],
      ];
      for (const words of commands) {
        const exit = await runIn(environment, words);
        assert.equal(exit.code, 1);
        assert.ok(
          exit.errorOutput.includes(`redirects to ${thief}. Nothing was sent there.`),
          exit.errorOutput,
        );
      }
      assert.deepEqual(received, []);
    });

  test("isn't sent to another origin", async () => {
    const sent: unknown[] = [];
    const inner = (async (input: unknown) => sent.push(input)) as unknown as typeof fetch;
    const within = fetchWithin('https://atrium.example.com', { fetch: inner, wait: async () => {} });
    for (const url of [
      'https://atrium.example.com.evil.test/',
      'http://atrium.example.com/',
      'https://evil.test/',
    ])
      await assert.rejects(within(url), /would leave/);
    assert.deepEqual(sent, []);
  });

  for (const path of [
    'https://evil.test/api/x',
    '//evil.test/api/x',
    String.raw`/\evil.test/api/x`,
    String.raw`\\evil.test/api/x`,
    '/api/../admin',
    '/api/%2e%2e/admin',
    '@evil.test/api/x',
    'api/organizations',
  ])
    test(`isn't sent to ${path}`, async () => {
      const exit = await runIn(
        { ATRIUM_URL: 'https://atrium.example.com', ATRIUM_TOKEN: token },
        ['api', 'GET', path],
        {
          fetch: () => assert.fail('something was sent'),
        },
      );
      assert.equal(exit.code, 2);
      assert.match(exit.errorOutput, /^PATH must be a path of the API/);
    });

  test('is never in an error', async (context) => {
    const origin = await startHost(context, ({ headers }, response) =>
      response
        .writeHead(400, { 'content-type': 'application/problem+json' })
        .end(
          JSON.stringify({ status: 400, code: 'invalid_body', detail: `You sent ${headers.authorization}` }),
        ),
    );
    const attempts = [
      [origin, token],
      [origin, 'another-form-of-token'],
      // An invalid header, which `fetch` quotes in its error.
      [origin, `${token}\nx: y`],
      [origin, `${token}é`],
      ['http://127.0.0.1:1', token],
    ] as const;
    for (const [url, used] of attempts) {
      const { code, output, errorOutput } = await runIn({ ATRIUM_URL: url, ATRIUM_TOKEN: used }, [
        'api',
        'GET',
        '/api/organizations',
      ]);
      assert.notEqual(code, 0);
      assert.ok(!(output + errorOutput).includes(used.slice(0, 30)), errorOutput);
    }
  });

  test("of one server isn't used for another", async (context) => {
    const directory = temporaryFolder(context);
    writeLogins(directory, {
      current: 'https://one.example.com',
      servers: { 'https://one.example.com': { accessToken: token } },
    });
    const fetch = () => assert.fail('something was sent');
    const words = ['api', 'GET', '/api/organizations'];
    const other = { ATRIUM_URL: 'https://two.example.com' };
    const exit = await runIn(other, words, { configDirectory: directory, fetch });
    assert.equal(exit.code, 2);
    assert.match(exit.errorOutput, /no login for https:\/\/two[.]example[.]com/);
    const withoutUrl = await runIn({ ATRIUM_TOKEN: token }, words, { configDirectory: directory, fetch });
    assert.match(withoutUrl.errorOutput, /^ATRIUM_TOKEN is set, but not ATRIUM_URL/);
  });
});

describe('stored logins', { skip: process.platform === 'win32' && 'no modes' }, () => {
  const logins = {
    current: 'https://one.example.com',
    servers: { 'https://one.example.com': { accessToken: token } },
  };

  test('can be read only by their user', (context) => {
    const directory = join(temporaryFolder(context), 'config', 'atrium');
    assert.deepEqual(readLogins(directory), { servers: {} });
    mkdirSync(directory, { recursive: true, mode: 0o755 });
    writeLogins(directory, logins);
    assert.equal(statSync(directory).mode & 0o777, 0o700);
    assert.equal(statSync(join(directory, 'logins.json')).mode & 0o777, 0o600);
    assert.deepEqual(readLogins(directory), logins);
    chmodSync(join(directory, 'logins.json'), 0o640);
    assert.throws(() => readLogins(directory), /Other users of this machine can read/);
  });

  test('are not read through a link, and a damaged file is not quoted', (context) => {
    const directory = temporaryFolder(context);
    const elsewhere = join(directory, 'elsewhere.json');
    writeFileSync(elsewhere, JSON.stringify(logins), { mode: 0o600 });
    symlinkSync(elsewhere, join(directory, 'logins.json'));
    assert.throws(() => readLogins(directory), /ELOOP/);
    writeLogins(directory, logins);
    assert.ok(statSync(elsewhere).isFile());
    assert.equal(readFileSync(elsewhere, 'utf8'), JSON.stringify(logins), 'the target is not written');
    writeFileSync(join(directory, 'logins.json'), `{"${token}`);
    assert.throws(
      () => readLogins(directory),
      (error: Error) => error.message.includes('is damaged') && !error.message.includes(token),
    );
  });
});

test('a revoked token fails with the words of the server', async (context) => {
  const { environment } = await startCliServer(context);
  const exit = await runIn({ ...environment, ATRIUM_TOKEN: token }, ['api', 'GET', '/api/organizations']);
  assert.equal(exit.code, 1);
  assert.notEqual(exit.errorOutput, '');
});
