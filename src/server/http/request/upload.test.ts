import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Type } from 'typebox';
import { defineRoute } from '#contract/route.ts';
import { createServe } from '../serve.ts';
import { createServer } from '../server.ts';

const common = {
  tag: 'Server',
  summary: 'S',
  access: 'public',
  status: 200,
  maxResponseMs: 123_000,
} as const;
const reply = Type.Object({ timeoutMs: Type.Number(), text: Type.String() });
const slow = defineRoute({ ...common, id: 'slow', method: 'GET', path: '/api/slow', reply });
const upload = defineRoute({
  ...common,
  id: 'upload',
  method: 'PUT',
  path: '/api/upload',
  upload: ['application/json', 'text/csv'],
  reply,
});

test('an upload is passed on as a stream, and a response may take as long as its route allows', async (context) => {
  const server = createServer({ publicUrl: 'http://localhost', trustedProxies: [], logger: false });
  const serve = createServe(server, async () => undefined);
  const timeoutOf = (raw: { readonly socket: { timeout?: number } | null }) => raw.socket?.timeout ?? 0;
  serve(slow, async (_call, { raw }) => ({ timeoutMs: timeoutOf(raw), text: '' }));
  const during: number[] = [];
  serve(upload, async ({ body: { chunks, mediaType, lengthBytes } }, { raw }) => {
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) {
      during.push(timeoutOf(raw));
      parts.push(chunk);
    }
    return {
      timeoutMs: timeoutOf(raw),
      text: `${mediaType} ${lengthBytes} ${Buffer.concat(parts).toString()}`,
    };
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  context.after(() => server.close());
  const { port } = server.server.address() as AddressInfo;
  const send = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    new Promise<string>((resolve, reject) => {
      request({ port, host: '127.0.0.1', method, path, headers, agent: false }, (answer) => {
        const texts: string[] = [];
        answer.setEncoding('utf8').on('data', (text: string) => void texts.push(text));
        answer.on('end', () => resolve(`${answer.statusCode} ${texts.join('')}`));
      })
        .on('error', reject)
        .end(body);
    });

  assert.equal(await send('GET', '/api/slow', {}), '200 {"timeoutMs":123000,"text":""}');
  const whole = await send(
    'PUT',
    '/api/upload',
    { 'content-type': 'Application/JSON; a=b', 'content-length': '5' },
    '{"a":',
  );
  assert.equal(whole, '200 {"timeoutMs":123000,"text":"application/json 5 {\\"a\\":"}');
  assert.deepEqual(during, [30_000], 'a client that falls silent still goes');
  const empty = await send('PUT', '/api/upload', { 'content-type': 'text/csv' });
  assert.equal(empty, '200 {"timeoutMs":123000,"text":"text/csv 0 "}');
  assert.match(await send('PUT', '/api/upload', {}), /^415 .*application\/json, text\/csv/);
  assert.match(await send('PUT', '/api/upload', { 'content-type': 'text/html' }, 'x'), /^415 /);
});
