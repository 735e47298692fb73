import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { TestContext } from 'node:test';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { startTestServer } from '../../support/server/test-server.ts';

/** Every route that the server registers, except those that only refuse other methods, as `GET /api/organizations/:orgId`. */
export async function registeredRoutes(context: TestContext): Promise<string[]> {
  const seen: string[] = [];
  const listenToRoutes = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url, config }: RouteOptions) => {
      if (config?.isOtherMethod !== true) seen.push(...[method].flat().map((name) => `${name} ${url}`));
    });
  };
  subscribe('fastify.initialization', listenToRoutes);
  try {
    await startTestServer(context, 'SQLite');
  } finally {
    unsubscribe('fastify.initialization', listenToRoutes);
  }
  assert.ok(seen.length > 0);
  return seen;
}
