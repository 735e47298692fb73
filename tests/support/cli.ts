import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { TokenScope } from '#contract/scopes.ts';
import type { Place } from '../../src/cli/command.ts';
import { runCli } from '../../src/cli/run.ts';
import { startTestServer, type Engine, type Person, type TestServer } from './server/test-server.ts';

export interface Exit {
  readonly code: number;
  readonly output: string;
  readonly errorOutput: string;
}

/** Runs a command line with an environment; everything else of the place can be replaced. */
export async function runIn(
  environment: Place['environment'],
  words: readonly string[],
  more: Partial<Place> & { readonly input?: string } = {},
): Promise<Exit> {
  const written: (string | Uint8Array)[] = [];
  let errorOutput = '';
  const code = await runCli(words, {
    environment,
    configDirectory: '/nonexistent',
    version: '1.2.3',
    fetch,
    now: Date.now,
    wait: async () => {},
    readInput: async () => Buffer.from(more.input ?? ''),
    write: async (bytes) => void written.push(bytes),
    warn: (line) => (errorOutput += `${line}\n`),
    isTerminal: false,
    ...more,
  });
  const output = Buffer.concat(written.map((bytes) => Buffer.from(bytes as string))).toString();
  return { code, output, errorOutput };
}

/** A server on a socket, with a person, an organization and the environment of their command line. */
export interface CliServer {
  readonly server: TestServer;
  readonly person: Person;
  readonly organizationId: string;
  readonly environment: { readonly ATRIUM_URL: string; readonly ATRIUM_TOKEN: string };
  run(...words: readonly string[]): Promise<Exit>;
}

const allScopes = [
  'read',
  'dashboards:write',
  'reports:write',
  'folders:write',
  'data_sources:write',
  'administer',
] as const;

/** Starts a server with a person in an organization, who has a token with scopes; by default, with all. */
export async function startCliServer(
  context: TestContext,
  { engine = 'SQLite', scopes = allScopes }: { engine?: Engine; scopes?: readonly TokenScope[] } = {},
): Promise<CliServer> {
  const server = await startTestServer(context, engine);
  const person = await server.createPerson('Ada');
  const organizationId = await server.createOrganization(person);
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { body, status, text } = await server.call('POST /api/auth/tokens', {
    as: person,
    body: {
      name: 'command line',
      organizationId,
      scopes,
      expiresAt: new Date(server.clock() + 86_400_000).toISOString(),
    },
  });
  assert.equal(status, 201, text);
  const environment = { ATRIUM_URL: url, ATRIUM_TOKEN: body.token as string };
  return {
    server,
    person,
    organizationId,
    environment,
    run: (...words) => runIn(environment, words),
  };
}

/** Returns a new directory that is removed with the test. */
export function temporaryFolder(context: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-cli-'));
  context.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
