import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { limits } from '../limits/limits.ts';
import { send, startServerProcess, temporaryDirectory, until } from '../support/server/server-process.ts';

/** What is loaded when a feature is first used. At the start, each would delay the first response. */
const loadedAtFirstUse =
  /node_modules[/](openid-client|oauth4webapi|jose|undici|pg|pg-[^/]+|nodemailer|@duckdb|@scalar|yaml|zod|@modelcontextprotocol|prom-client|@opentelemetry|@aws-sdk|@zxcvbn-ts)[/]|[/]typebox[/]build[/](schema|value)[/]/;

/** Records the URL of every module, and writes them to a file when the process ends. */
const recorder = (file: string): string => `
  import { registerHooks } from 'node:module';
  import { writeFileSync } from 'node:fs';
  const urls = new Set();
  registerHooks({ load: (url, context, next) => (urls.add(url), next(url, context)) });
  process.once('exit', () => writeFileSync(${JSON.stringify(file)}, JSON.stringify([...urls])));`;

test('a server loads only what it needs for its first response', async (context) => {
  const file = join(temporaryDirectory(context), 'modules.json');
  const server = await startServerProcess(context, {
    environment: {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(recorder(file))}`,
    },
  });
  assert.equal((await send(server, 'GET /api/health/ready')).status, 200);
  assert.equal((await server.end('SIGTERM')).code, 0);
  // Sound because the recorder wrote it.
  const urls = JSON.parse(readFileSync(file, 'utf8')) as string[];
  assert.ok(urls.some((url) => url.endsWith('/src/server/app.ts')));
  assert.deepEqual(
    urls.filter((url) => loadedAtFirstUse.test(url)),
    [],
  );
  assert.ok(urls.length <= limits.modulesAtStart.most, `${urls.length} modules`);
});

test('a running server has stored its compiled code, so that the next start is fast even if it is killed', async (context) => {
  const directory = temporaryDirectory(context);
  await startServerProcess(context, { environment: { NODE_COMPILE_CACHE: directory } });
  await until('the compiled code is stored', () => {
    const fileCount = readdirSync(directory, { recursive: true }).length;
    return fileCount > 500 ? fileCount : undefined;
  });
});
