import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import type { LookupAddress } from 'node:dns';
import { createServer, type RequestListener } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { callbackify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { startDnsServer } from '../../../tests/support/network/dns-server.ts';
import type { PrivateHost } from '../settings/values.ts';
import { DnsError } from './dns-query.ts';
import { OutgoingError } from './outgoing-error.ts';
import { createOutgoing, type Outgoing } from './outgoing.ts';
import { createAddressResolver } from './public-lookup.ts';

const own = { organizationId: 'own' };

/** An unassigned public address: connections to it fail and disturb nobody. */
const publicAddress = '2fff::1';

describe('a URL that a user enters', () => {
  const leadsInside = [
    'https://127.0.0.1/',
    'https://127.0.0.1:8443/.well-known/openid-configuration',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.0.0.1/',
    'https://017700000001/',
    'https://0177.0.0.1/',
    'https://127.0.0.1./',
    'https://１２７.0.0.1/',
    'https://⑫⑦.0.0.1/',
    'https://0/',
    'https://10.1.2.3/',
    'https://169.254.169.254/latest/meta-data/',
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://168.63.129.16/',
    'https://[::]/',
    'https://[::1]/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[2002:7f00:1::]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
  ];
  for (const url of leadsInside) {
    test(`is refused: ${url}`, async (context) => {
      const { outgoing, lookedUp } = open(context);
      assert.deepEqual(await codeOf(outgoing.fetch(url, own)), 'address_refused');
      assert.deepEqual(lookedUp, []);
    });
  }

  const isNoAddress = [
    'http://login.example/',
    'HTTP://login.example/',
    'ftp://login.example/',
    'file:///etc/passwd',
    'data:application/json,{}',
    'gopher://login.example/',
    '//login.example/',
    'login.example',
    '',
    'https://',
    'https://user@login.example/',
    'https://user:password@login.example/',
    'https://:password@login.example/',
    'https://[::1/',
    'https://256.256.256.256/',
    'https://login.example:99999/',
  ];
  for (const url of isNoAddress) {
    test(`is refused: ${url || 'an empty text'}`, async (context) => {
      const { outgoing, lookedUp } = open(context);
      assert.deepEqual(await codeOf(outgoing.fetch(url, own)), 'address_refused');
      assert.deepEqual(lookedUp, []);
    });
  }
});

describe('a name', () => {
  const answers: Record<string, string[]> = {
    'to the loopback address': ['127.0.0.1'],
    'to that of IPv6': ['::1'],
    'to a mapped one': ['::ffff:127.0.0.1'],
    'to metadata': ['169.254.169.254'],
    'to a private network': ['10.0.0.1'],
    'to the public and a private network at once': [publicAddress, '192.168.0.1'],
    'to a private and the public network at once': ['192.168.0.1', publicAddress],
    'to nothing': [],
  };
  for (const [kind, addresses] of Object.entries(answers)) {
    test(`that resolves ${kind} is refused without a connection`, async (context) => {
      const { outgoing, lookedUp } = open(context, [addresses]);
      const connected = watchConnections(context);
      assert.equal(await codeOf(outgoing.fetch('https://login.example/', own)), 'address_refused');
      assert.deepEqual([lookedUp, connected()], [['login.example'], []]);
    });
  }

  test('that changes is connected to at the checked address, and refused the next time', async (context) => {
    const { outgoing, lookedUp } = open(context, [[publicAddress], ['127.0.0.1']]);
    const connected = watchConnections(context);
    assert.equal(await codeOf(outgoing.fetch('https://rebinding.example/', own)), 'unreachable');
    assert.deepEqual([lookedUp.length, connected()], [1, [publicAddress]]);
    assert.equal(await codeOf(outgoing.fetch('https://rebinding.example/', own)), 'address_refused');
    assert.deepEqual([lookedUp.length, connected()], [2, [publicAddress]]);
  });

  test('that DNS does not know is reported as such', async (context) => {
    const { outgoing } = open(context);
    await assert.rejects(outgoing.fetch('https://login.example/', own), {
      name: 'OutgoingError',
      code: 'unreachable',
      message: 'Could not connect to https://login.example: its name was not found in DNS',
    });
  });
});

describe('a name server that does not respond', () => {
  test('blocks neither lookups of other names nor a thread', async (context) => {
    const dns = await startDnsServer();
    context.after(() => dns.stop());
    dns.silence('hostile.example');
    dns.publishAddresses('login.example', '192.168.0.1');
    const { hostname, port } = new URL(`dns://${dns.address}`);
    const servers = [{ host: hostname, port: Number(port) }];
    const outgoing = createOutgoing([], {
      resolvePublic: createAddressResolver({ servers, deadlineMs: 3_000 }),
    });
    context.after(() => outgoing.close());
    const systemLookups = watch(context, 'GETADDRINFOREQWRAP');
    let givenUp = 0;
    const hostile = Array.from({ length: 50 }, (_, index) =>
      outgoing.fetch(`https://${index}.hostile.example/`, own),
    ).map(async (attempt) => {
      await assert.rejects(attempt, { code: 'unreachable', message: /DNS did not respond/ });
      givenUp += 1;
    });
    assert.equal(await codeOf(outgoing.fetch('https://login.example/', own)), 'address_refused');
    assert.equal(givenUp, 0, 'the other name waited for the silent ones');
    await Promise.all(hostile);
    assert.deepEqual(systemLookups(), []);
  });
});

describe('a private host of the settings', () => {
  test('may be plain http on loopback, on exactly that host and port', async (context) => {
    const { port } = await serve(context, (_request, response) => response.end('here'));
    const other = await serve(context, () => assert.fail('the other port was asked'));
    const { outgoing } = open(context, [['127.0.0.1']], [{ host: '127.0.0.1', port }]);
    const answer = await outgoing.fetch(`http://127.0.0.1:${port}/x`, own);
    assert.deepEqual([answer.status, await answer.text()], [200, 'here']);
    const refused = [
      `http://127.0.0.1:${other.port}/`,
      `https://127.0.0.1:${other.port}/`,
      `http://127.0.0.2:${port}/`,
      `http://localhost:${port}/`,
      `http://sub.127.0.0.1:${port}/`,
      `https://login.example:${port}/`,
      `http://user@127.0.0.1:${port}/`,
      `ftp://127.0.0.1:${port}/`,
      'http://127.0.0.1/',
    ];
    for (const url of refused) assert.equal(await codeOf(outgoing.fetch(url, own)), 'address_refused', url);
  });

  test('is only connected to for its own documents, not for those of another host', async (context) => {
    const one = await serve(context, (_request, response) => response.end('one'));
    const other = await serve(context, () => assert.fail('the other host was asked'));
    const hosts = [one, other].map(({ port }) => ({ host: '127.0.0.1', port }));
    const { outgoing } = open(context, [], hosts);
    const answer = await outgoing.fetch(`${one.url}keys`, { ...own, namedBy: `${one.url}document` });
    assert.equal(await answer.text(), 'one');
    for (const url of [other.url, other.url.replace('http:', 'https:')]) {
      const attempt = outgoing.fetch(url, { ...own, namedBy: `${one.url}document` });
      assert.equal(await codeOf(attempt), 'address_refused', url);
    }
    const byPublic = outgoing.fetch(other.url, { ...own, namedBy: 'https://login.example/document' });
    assert.equal(await codeOf(byPublic), 'address_refused');
  });

  test('may refer to a public host', async (context) => {
    const { outgoing, lookedUp } = open(context, [[publicAddress]], [{ host: '127.0.0.1', port: 443 }]);
    const attempt = outgoing.fetch('https://login.example/keys', {
      ...own,
      namedBy: 'https://127.0.0.1/document',
    });
    assert.equal(await codeOf(attempt), 'unreachable');
    assert.deepEqual(lookedUp, ['login.example']);
  });

  test('may be a name that resolves to a private address', async (context) => {
    const { port } = await serve(context, (request, response) => response.end(request.headers.host));
    const { outgoing } = open(context, [['127.0.0.1']], [{ host: 'adfs.corp.example', port }]);
    const answer = await outgoing.fetch(`http://ADFS.corp.example:${port}/x`, own);
    assert.equal(await answer.text(), `adfs.corp.example:${port}`);
    assert.equal(
      await codeOf(outgoing.fetch(`http://x.adfs.corp.example:${port}/`, own)),
      'address_refused',
      'a name below it',
    );
  });
});

describe('a response', () => {
  test('with a redirect is not followed', async (context) => {
    const target = await serve(context, () => assert.fail('the redirect was followed'));
    for (const status of [301, 302, 303, 307, 308]) {
      const { outgoing, url } = await openTo(context, (_request, response) => {
        response.writeHead(status, { location: target.url }).end();
      });
      const answer = await outgoing.fetch(url, own);
      assert.deepEqual([answer.status, answer.headers.get('location')], [status, target.url]);
    }
  });

  test('is read up to 256 KiB', async (context) => {
    const limit = 256 * 1024;
    const { outgoing, url } = await openTo(context, (request, response) => {
      const size = Number(request.url?.slice(1));
      // In chunks and without a length, so that only counting helps.
      response.write('x'.repeat(1_000));
      response.end('x'.repeat(size - 1_000));
    });
    assert.equal((await (await outgoing.fetch(`${url}${limit}`, own)).text()).length, limit);
    await assert.rejects(outgoing.fetch(`${url}${limit + 1}`, own), {
      code: 'unreachable',
      message: /the response is larger than 256 KiB$/,
    });
    await assert.rejects(outgoing.fetch(`${url}50000000`, own), { message: /larger than 256 KiB$/ });
  });

  test('is not decompressed, and compression is not requested', async (context) => {
    const packed = gzipSync(Buffer.alloc(20_000_000));
    assert.ok(packed.length < 50_000);
    let asked: unknown;
    const { outgoing, url } = await openTo(context, (request, response) => {
      asked = request.headers['accept-encoding'];
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed);
    });
    const text = await (await outgoing.fetch(url, { ...own, headers: { 'accept-encoding': 'gzip' } })).text();
    assert.equal(asked, 'identity');
    assert.ok(text.length <= packed.length, `${text.length} characters`);
  });

  test('is returned with its status, headers and body; the request is sent completely', async (context) => {
    const { outgoing, url } = await openTo(context, (request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        response.writeHead(418, { 'x-two': ['1', '2'] });
        response.end(`${request.method} ${request.url} ${String(request.headers['x-sent'])} ${body}`);
      });
    });
    const answer = await outgoing.fetch(`${url}a?b=c`, {
      ...own,
      method: 'POST',
      headers: { 'x-sent': 'yes' },
      body: 'grant=1',
    });
    assert.deepEqual(
      [answer.status, answer.headers.get('x-two'), await answer.text()],
      [418, '1, 2', 'POST /a?b=c yes grant=1'],
    );
    const { outgoing: other, url: empty } = await openTo(context, (_request, response) => {
      response.writeHead(204).end();
    });
    assert.equal((await other.fetch(empty, own)).status, 204);
  });

  test('with an invalid status or endless headers means unreachable', async (context) => {
    for (const head of [{ status: 999 }, { status: 200, 'x-long': 'x'.repeat(100_000) }]) {
      const { outgoing, url } = await openTo(context, (_request, response) => {
        const { status, ...headers } = head;
        response.writeHead(status, headers).end('{}');
      });
      assert.equal(await codeOf(outgoing.fetch(url, own)), 'unreachable');
    }
  });

  test(
    'that does not come, or does not end, is waited for 5 seconds',
    { timeout: 120_000 },
    async (context) => {
      const silent = await openTo(context, () => {});
      const dripping = await openTo(context, (_request, response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write('x'), 100);
        response.on('close', () => clearInterval(drip));
      });
      const halfway = await openTo(context, (_request, response) => response.writeHead(200).write('{'));
      const unresolved = createOutgoing([], { resolvePublic: () => new Promise(() => {}) });
      context.after(() => unresolved.close());
      const startedAt = performance.now();
      const attempts = [
        silent.outgoing.fetch(silent.url, own),
        dripping.outgoing.fetch(dripping.url, own),
        halfway.outgoing.fetch(halfway.url, own),
        unresolved.fetch('https://login.example/', own),
      ];
      for (const attempt of attempts) {
        await assert.rejects(attempt, { code: 'unreachable', message: /no response within 5 seconds$/ });
      }
      const seconds = (performance.now() - startedAt) / 1_000;
      assert.ok(seconds > 4.5 && seconds < 15, `${seconds} s`);
    },
  );

  test('that is refused or aborted means unreachable, with a message', async (context) => {
    const { outgoing, url, port } = await openTo(context, (request) => request.socket.destroy());
    assert.equal(await codeOf(outgoing.fetch(url, own)), 'unreachable');
    const { outgoing: other } = open(context, [], [{ host: '127.0.0.1', port: 1 }]);
    await assert.rejects(other.fetch('http://127.0.0.1:1/', own), {
      message: 'Could not connect to http://127.0.0.1:1: the connection was refused',
    });
    const { outgoing: tls } = open(context, [], [{ host: '127.0.0.1', port }]);
    assert.equal(await codeOf(tls.fetch(`https://127.0.0.1:${port}/`, own)), 'unreachable', 'no TLS');
  });
});

/** Creates a client whose DNS returns the next of `answers` for each query, then nothing. */
describe('a private host that is listed for an organization', () => {
  test('can’t be reached by another one, also not with plain http', async (context) => {
    const { port, url } = await serve(context, (_, response) => response.end('secret'));
    const { outgoing } = open(context, [], [{ host: '127.0.0.1', port, organizationId: 'own' }]);
    const foreign = { organizationId: 'foreign' };
    assert.equal(await (await outgoing.fetch(url, own)).text(), 'secret');
    assert.equal(await codeOf(outgoing.fetch(url, foreign)), 'address_refused');
    assert.deepEqual(await outgoing.fetchShown(url, own), { ok: true, status: 200, text: undefined });
    await assert.rejects(outgoing.fetchShown(url, foreign), { code: 'address_refused' });
    assert.deepEqual([outgoing.isPrivate(url, 'own'), outgoing.isPrivate(url, 'foreign')], [true, false]);
  });
});

function open(
  context: TestContext,
  answers: readonly (readonly string[])[] = [],
  privateHosts: readonly PrivateHost[] = [],
): { outgoing: Outgoing; lookedUp: string[] } {
  const lookedUp: string[] = [];
  const resolve = async (hostname: string): Promise<LookupAddress[]> => {
    const addresses = answers[lookedUp.push(hostname) - 1];
    if (addresses === undefined) throw new DnsError('ENOTFOUND');
    return addresses.map((address) => ({ address, family: isIP(address) }));
  };
  const outgoing = createOutgoing(privateHosts, {
    resolvePublic: resolve,
    lookupPrivate: (hostname, _options, callback) => callbackify(resolve)(hostname, callback),
  });
  context.after(() => outgoing.close());
  return { outgoing, lookedUp };
}

/** Serves plain http on a free port of the loopback interface until the test ends. */
async function serve(
  context: TestContext,
  listener: RequestListener,
): Promise<{ port: number; url: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}/` };
}

/** Starts a server, and creates a client that may connect to it. */
async function openTo(
  context: TestContext,
  listener: RequestListener,
): Promise<{ outgoing: Outgoing; url: string; port: number }> {
  const { port, url } = await serve(context, listener);
  return { ...open(context, [], [{ host: '127.0.0.1', port }]), url, port };
}

/** Returns a function that lists the addresses that this process has connected to since. */
function watchConnections(context: TestContext): () => unknown[] {
  const begun = watch(context, 'TCPCONNECTWRAP');
  return () => begun().map((connection) => ('address' in connection ? connection.address : undefined));
}

/** Returns a function that lists the asynchronous resources of a type that this process has created since. */
function watch(context: TestContext, kind: string): () => object[] {
  const begun: object[] = [];
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === kind) begun.push(resource);
    },
  }).enable();
  context.after(() => hook.disable());
  return () => begun;
}

async function codeOf(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof OutgoingError) return error.code;
    throw error;
  }
  return 'fetched';
}
