import assert from 'node:assert/strict';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { serveWebApp } from './web-app.ts';

async function startWebApp(context: TestContext): Promise<FastifyInstance> {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-web-'));
  context.after(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, 'assets'));
  writeFileSync(join(directory, 'index.html'), '<style nonce="NONCE-OF-THE-RESPONSE"></style>');
  writeFileSync(join(directory, 'icon.svg'), '<svg/>');
  writeFileSync(join(directory, 'assets', 'main-1.js'), 'plain');
  writeFileSync(join(directory, 'assets', 'main-1.js.br'), 'compressed');
  const server = Fastify();
  await serveWebApp(server, directory);
  return server;
}

test('the page is served at every URL of the application, each time with a new nonce', async (context) => {
  const server = await startWebApp(context);
  const nonces = [];
  for (const url of ['/', '/dashboards/1', '/sign-in?returnTo=%2Fx.y']) {
    const { statusCode, headers, body } = await server.inject({ url });
    // A page that a browser caches for going back would show one person's data to the next.
    assert.deepEqual([statusCode, headers['cache-control']], [200, 'no-store'], url);
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin-allow-popups');
    const nonce = /nonce="(.{22})"/.exec(body)?.[1] ?? 'none';
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /script-src 'self';/);
    assert.ok(policy.includes(`style-src 'self' 'nonce-${nonce}';`), policy);
    nonces.push(nonce);
  }
  assert.equal(new Set(nonces).size, 3);
});

test('files are sent compressed, and cached permanently if their name contains a hash of their content', async (context) => {
  const server = await startWebApp(context);
  const asked = { url: '/assets/main-1.js', headers: { 'accept-encoding': 'gzip, br' } };
  const { headers, body } = await server.inject(asked);
  assert.deepEqual(
    [body, headers['content-encoding'], headers['cache-control']],
    ['compressed', 'br', 'public, max-age=31536000, immutable'],
  );
  assert.equal((await server.inject({ url: '/assets/main-1.js' })).body, 'plain');
  assert.equal((await server.inject({ url: '/icon.svg' })).headers['cache-control'], 'no-cache');
});

test('paths that monitoring tools probe get a 404 in JSON instead of the page', async (context) => {
  const server = await startWebApp(context);
  for (const url of [
    '/health',
    '/health/',
    '/health/ready',
    '/healthz',
    '/HealthZ?verbose=1',
    '/healthcheck',
    '/health-check',
    '/livez',
    '/live',
    '/liveness',
    '/ready',
    '/readyz',
    '/readyz/ping',
    '/readiness',
    '/-/healthy',
    '/-/ready',
    '/_health',
    '/actuator/health/liveness',
    '/actuator/prometheus',
    '/alive',
    '/up',
    '/ping',
    '/status',
    '/metrics',
    '/api',
    '/api/health',
    '/api/healthz',
  ]) {
    const { statusCode, headers } = await server.inject({ url });
    assert.equal(statusCode, 404, url);
    assert.match(String(headers['content-type']), /^application\/(problem\+)?json/, url);
  }
  // Pages whose names only begin like that.
  for (const url of ['/healthy-people', '/upload', '/liveliness'])
    assert.equal((await server.inject({ url })).statusCode, 200, url);
});

test('nothing else is served: no other file, nothing outside the directory, no page under /api', async (context) => {
  const server = await startWebApp(context);
  for (const url of [
    '/assets/other.js',
    '/../package.json',
    '/%2e%2e/package.json',
    '/..%2fpackage.json',
    '/api/x',
    '/api',
  ]) {
    assert.ok((await server.inject({ url })).statusCode >= 400, url);
  }
});
