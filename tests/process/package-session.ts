// Uses an installed release package as its operator and a person do. Run by package.test.ts, with the package's own Node.js:
// package-session.ts INSTALLATION DATA_DIRECTORY. Prints what happened as JSON.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const [installation = '', dataDirectory = ''] = process.argv.slice(2);
const launcher = join(installation, 'bin', 'atrium');
const env = { PATH: '/usr/bin:/bin', PORT: '0', ATRIUM_DATA_DIR: dataDirectory };
const email = 'ada@example.com';
const password = 'the password of Ada';

const first = await startServer();
const commands = [
  run(['user', 'create', '--email', email, '--name', 'Ada', '--password-stdin'], password),
  run(['organization', 'create', '--name', 'Engines', '--owner', email]),
];
const queried = await queryTheSample(first.url);
const exitCodes = [await stop(first)];
const second = await startServer();
const signedInAgain = await send(second.url, 'POST /api/auth/sign-in/email', { email, password });
exitCodes.push(await stop(second));

console.log(
  JSON.stringify({
    commandExits: commands.map(({ status, stderr }) => [status, stderr]),
    ...queried,
    signedInAgain: signedInAgain.status,
    exitCodes,
    log: first.output(),
  }),
);

async function queryTheSample(url: string): Promise<object> {
  const { cookie } = await send(url, 'POST /api/auth/sign-in/email', { email, password });
  const organizations = await send(url, 'GET /api/organizations', undefined, cookie);
  const organizationId = organizations.body.items[0].id;
  const sample = await send(url, `POST /api/organizations/${organizationId}/sample`, {}, cookie);
  const { dataSourceId } = sample.body;
  const query = { organizationId, dataSourceId, query: 'select count(*) as flights from flights' };
  const result = await send(url, 'POST /api/reports/preview', query, cookie);
  const page = await fetch(`${url}/dashboards`);
  return { rows: result.body.rows, page: await page.text() };
}

async function send(url: string, line: string, body?: object, cookie = '') {
  const [method = '', path = ''] = line.split(' ');
  const response = await fetch(url + path, {
    method,
    headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    // oxlint-disable-next-line typescript/no-explicit-any -- a body without the expected fields fails the test.
    body: (await response.json()) as any,
    cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '',
  };
}

function run(words: readonly string[], input = '') {
  return spawnSync(launcher, ['server', ...words], { env, input, encoding: 'utf8' });
}

async function startServer() {
  const child = spawn(launcher, ['serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const exited = once(child, 'exit').then(() => Promise.reject(new Error(`The server ended.\n${output}`)));
  exited.catch(() => undefined);
  for (;;) {
    const url = /"listening":"([^"]+)".*"msg":"Atrium is ready"\}\n/.exec(output)?.[1];
    if (url !== undefined) return { child, url, output: () => output };
    await Promise.race([once(child.stdout, 'data'), exited]);
  }
}

async function stop({ child }: Awaited<ReturnType<typeof startServer>>): Promise<number | null> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
  return child.exitCode;
}
