import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { brotliDecompressSync, createGunzip, gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { compressResponses } from './compression.ts';

const text = JSON.stringify({ items: Array.from({ length: 500 }, (_, id) => ({ id })) });

async function start(context: TestContext): Promise<FastifyInstance> {
  const server = Fastify();
  compressResponses(server);
  context.after(() => server.close());
  return server;
}

/** Requests a compressed stream whose first line is written, over a connection of its own. */
async function openStream(
  context: TestContext,
): Promise<{ lines: PassThrough; request: ClientRequest; response: IncomingMessage }> {
  const server = await start(context);
  const lines = new PassThrough();
  server.get('/', (_request, reply) => reply.type('application/x-ndjson; charset=utf-8').send(lines));
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  lines.write('{"line":1}\n');
  const request = get({ host: '127.0.0.1', port, headers: { 'accept-encoding': 'gzip' } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { lines, request, response };
}

test('a response is compressed as the client asks', async (context) => {
  const server = await start(context);
  server.get('/', (_request, reply) => reply.type('application/json; charset=utf-8').send(text));
  const encodings = {
    gzip: 'gzip',
    br: 'br',
    'gzip, br': 'br',
    'gzip;q=0, br;q=0': undefined,
    'gzip;q=1, br;q=0': 'gzip',
    identity: undefined,
    zstd: undefined,
    '': undefined,
  };
  for (const [accepted, expected] of Object.entries(encodings)) {
    const { headers, rawPayload } = await server.inject({
      url: '/',
      headers: { 'accept-encoding': accepted },
    });
    assert.equal(headers['content-encoding'], expected, accepted);
    const decoded =
      expected === 'br'
        ? brotliDecompressSync(rawPayload)
        : expected === 'gzip'
          ? gunzipSync(rawPayload)
          : rawPayload;
    assert.equal(decoded.toString(), text, accepted);
    if (expected !== undefined) assert.match(String(headers['vary']), /accept-encoding/i);
  }
});

test('small responses, events, scripts and Parquet files are not compressed', async (context) => {
  const server = await start(context);
  server.get('/small', (_request, reply) => reply.type('application/json').send('{}'));
  server.get('/events', (_request, reply) => reply.type('text/event-stream').send(text));
  server.get('/script', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(text));
  server.get('/parquet', (_request, reply) => reply.type('application/vnd.apache.parquet').send(text));
  for (const url of ['/small', '/events', '/script', '/parquet']) {
    const { headers } = await server.inject({ url, headers: { 'accept-encoding': 'gzip' } });
    assert.equal(headers['content-encoding'], undefined, url);
  }
});

test('each line of a stream arrives before the next is written', async (context) => {
  const { lines, response } = await openStream(context);
  assert.equal(response.headers['content-encoding'], 'gzip');
  const received = response.pipe(createGunzip()).setEncoding('utf8');
  assert.deepEqual(await once(received, 'data'), ['{"line":1}\n']);
  lines.write('{"line":2}\n');
  assert.deepEqual(await once(received, 'data'), ['{"line":2}\n']);
  lines.end();
  await once(received.resume(), 'end');
});

test('a response to a page of another site is not compressed, since its length could reveal secrets (BREACH)', async (context) => {
  const server = await start(context);
  server.get('/', (_request, reply) => reply.type('application/json').send(text));
  const sites = { 'cross-site': undefined, 'same-site': undefined, 'same-origin': 'gzip', none: 'gzip' };
  for (const [site, expected] of Object.entries(sites)) {
    const asked = { 'accept-encoding': 'gzip', 'sec-fetch-site': site };
    const { headers } = await server.inject({ url: '/', headers: asked });
    assert.equal(headers['content-encoding'], expected, site);
  }
});

test('a buffer that is sent several times is compressed once in each encoding', async (context) => {
  const server = await start(context);
  const shared = Buffer.from(text);
  server.get('/', (_request, reply) => reply.type('application/json').send(shared));
  const send = async (encoding: string) =>
    (await server.inject({ url: '/', headers: { 'accept-encoding': encoding } })).rawPayload;
  const first = [await send('gzip'), await send('br')];
  shared.fill('x');
  assert.deepEqual([await send('gzip'), await send('br')], first);
  assert.deepEqual(
    first.map((one, index) => (index === 0 ? gunzipSync(one) : brotliDecompressSync(one)).toString()),
    [text, text],
  );
});

/** Their first two bytes are also those of a file that is compressed with deflate (RFC 1950, section 2.2). */
test('a CSV file that begins like a compressed one is compressed like any other', async (context) => {
  const server = await start(context);
  const csvOf = (name: string) => `${name}\n${'1\n'.repeat(2_000)}`;
  const names = ['HKD', 'HK', 'hb', 'H,I', 'Xf', 'x ', '80'];
  server.get('/:name', ({ params }, reply) =>
    reply.type('text/csv; charset=utf-8').send(Readable.from([csvOf((params as { name: string }).name)])),
  );
  for (const name of names) {
    const { headers, rawPayload } = await server.inject({
      url: `/${encodeURIComponent(name)}`,
      headers: { 'accept-encoding': 'gzip, br' },
    });
    assert.equal(headers['content-encoding'], 'gzip', name);
    assert.equal(gunzipSync(rawPayload).toString(), csvOf(name), name);
  }
});

test('a stream ends when its client disconnects', async (context) => {
  const { lines, request } = await openStream(context);
  const closed = new Promise((resolve) => lines.once('error', () => {}).once('close', resolve));
  request.on('error', () => {}).destroy();
  await closed;
});
