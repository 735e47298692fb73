import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { routes } from '#contract/routes.ts';
import { createDocument } from '../../../src/server/http/api-docs/document.ts';
import { toRequest } from '../roles/requests/requests.ts';
import { expected } from '../roles/table.ts';
import { startWorlds } from '../roles/worlds.ts';
import { readDocument } from '../routes/document.ts';
import { callWithClient, type ClientCall } from './call.ts';
import { generateTypes } from './generate.ts';

const text = JSON.stringify(createDocument('0.0.0-test'));
const document = readDocument(text);

test('a generated client calls every operation, and what it sends and gets has the generated types', async (context) => {
  const { createWorld } = await startWorlds(context, 'SQLite');
  const calls: ClientCall[] = [];
  for (const [line, statuses] of Object.entries(expected)) {
    const [method, path] = line.split(' ');
    const route = routes.find((one) => one.method === method && one.path === path);
    assert.ok(route, line);
    const world = await createWorld('owner');
    const call = await callWithClient(document, route, world, await toRequest(line, world));
    assert.equal(call.status, statuses.owner, line);
    calls.push(call);
  }
  assert.deepEqual(
    [...new Set(calls.map(({ route }) => route.id))].toSorted(),
    routes.map(({ id }) => id).toSorted(),
  );
  await compile({ 'api.ts': await generateTypes(text), 'calls.ts': programOf(calls) });
});

/** Returns a program that sends the same requests, and in which each response has the type of its operation. */
function programOf(calls: readonly ClientCall[]): string {
  const functions = calls.map(({ route, init, status, data }, index) => {
    const options = JSON.stringify(init).replace(
      /\}$/,
      route.upload ? ', bodySerializer: (body) => body }' : '}',
    );
    const hasReply = status < 300 && route.reply !== undefined && route.mediaType === undefined;
    return `
const call${index} = async () => (await client.${route.method}('${route.path}', ${options})).data;
${hasReply ? `export const reply${index}: Awaited<ReturnType<typeof call${index}>> = ${JSON.stringify(data)};` : `void call${index};`}`;
  });
  return `import createClient from 'openapi-fetch';
import type { paths } from './api.ts';
const client = createClient<paths>();
${functions.join('\n')}
`;
}

/** Compiles a program strictly. It lies in `node_modules`, where its import of the client is found. */
async function compile(files: Readonly<Record<string, string>>): Promise<void> {
  const folder = mkdtempSync(join('node_modules', 'openapi-client-'));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      target: 'esnext',
      module: 'esnext',
      moduleResolution: 'bundler',
      types: [],
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      lib: ['esnext', 'dom', 'dom.iterable'],
    };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: Object.keys(files) }),
    );
    const compiler = join('node_modules', '.bin', 'tsc');
    const { stdout } = await promisify(execFile)(compiler, ['-p', folder]).catch(
      (error: { stdout: string }) => error,
    );
    assert.equal(stdout, '');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
