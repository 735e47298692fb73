import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  linkSync,
  writeFileSync,
  existsSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { engine as duckdb } from '../duckdb/engine.ts';
import { createQueryEngine } from '../query-engine.ts';
import { detectSandbox } from './detect-sandbox.ts';
import { programDirectory } from '../../base/program.js';
import type { Launch, QuerySandbox } from './sandbox.ts';
import { takeFile } from './take-file.ts';

const secret = 'canary-of-the-server';
process.env['ATRIUM_CANARY'] = secret;

/** A worker that runs an attacker's code. Each attempt returns its result, or the code of the error. */
const hostileProgram = `
  import fs from 'node:fs';
  import net from 'node:net';
  import { spawn, spawnSync } from 'node:child_process';

  const read = (path) => () => fs.readFileSync(path, 'utf8');
  const write = (path) => () => (fs.writeFileSync(path, 'written'), 'written');
  const statusLine = (name) => () => new RegExp('^' + name + ':\\\\s*(.*)$', 'm').exec(read('/proc/self/status')())[1];
  const connect = (port) => () =>
    new Promise((resolve, reject) => {
      const socket = net.connect(port, '127.0.0.1', () => (socket.destroy(), resolve('connected')));
      socket.once('error', reject);
    });
  function openFiles() {
    const links = fs.readdirSync('/proc/self/fd').map((fd) => {
      try { return fs.readlinkSync('/proc/self/fd/' + fd); } catch { return ''; }
    });
    return links.filter((link) => link.startsWith('/') && !/^\\/(dev\\/null|proc\\/.*)?$/.test(link)).join();
  }
  function detach(marker) {
    const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)', marker], {
      detached: true, stdio: 'ignore',
    });
    return child.pid > 0 ? 'running' : 'failed';
  }

  process.once('message', async ({ server, port, visible, program, data, directory, own, certificates, marker }) => {
    const attempts = {
      'read its own file': read(own),
      'write its own file': write(own),
      'write into its directory': write(directory + '/x'),
      'read its certificates': read(certificates),
      'read the secret key': read(data + '/secret-key'),
      'read the database': read(data + '/atrium.sqlite'),
      'read a file of another organization': read(data + '/sources/other/source/table.duckdb'),
      'list the data directory': () => fs.readdirSync(data).join(),
      'write into the data directory': write(data + '/written'),
      'list the directories of the machine': () => fs.readdirSync('/').filter((name) => !visible.includes(name)).join(),
      'list the configuration of the machine': () => fs.readdirSync('/etc').join(),
      'read the environment of the server': read('/proc/' + server + '/environ'),
      'read the memory of the server': read('/proc/' + server + '/mem'),
      'read the command line of the server': read('/proc/' + server + '/cmdline'),
      'list the open files of the server': () => fs.readdirSync('/proc/' + server + '/fd').join(),
      'signal the server': () => String(process.kill(server, 0)),
      'write into the program': write(program + '/src/server/engine/written'),
      'write into the compiled program': write(program + '/node_modules/.cache/query-workers/written'),
      'write into the memory of the system': write('/dev/shm/written-by-a-worker'),
      'write into /tmp': write('/tmp/written-by-a-worker'),
      'write beside its directory': write('/worker/written'),
      'run a program of the system': () => String(spawnSync('/bin/sh', ['-c', 'exit 7']).status),
      'connect to the machine': connect(port),
      'use a capability': statusLine('CapEff'),
      'hold an open file of the server': openFiles,
      'see the environment of the server': () => Object.keys(process.env).sort().join(),
      'leave a process behind': () => detach(marker),
    };
    const results = {};
    for (const [name, attempt] of Object.entries(attempts)) {
      try { results[name] = await attempt(); } catch (error) { results[name] = error.code; }
    }
    process.send(results);
  });
`;

/** The results that both kinds of isolation have in common. */
const common = {
  'read its own file': 'the table',
  'write into its directory': 'written',
  'read its certificates': 'certificates',
  'use a capability': '0000000000000000',
  'hold an open file of the server': '',
  'leave a process behind': 'running',
};

const expectedByKind = {
  bubblewrap: {
    ...common,
    'write its own file': 'EROFS',
    'read the secret key': 'ENOENT',
    'read the database': 'ENOENT',
    'read a file of another organization': 'ENOENT',
    'list the data directory': 'ENOENT',
    'write into the data directory': 'ENOENT',
    'list the directories of the machine': '',
    'list the configuration of the machine': 'ld.so.cache',
    'read the environment of the server': 'ENOENT',
    'read the memory of the server': 'ENOENT',
    'read the command line of the server': 'ENOENT',
    'list the open files of the server': 'ENOENT',
    'signal the server': 'ESRCH',
    'write into the program': 'EROFS',
    'write into the compiled program': 'EROFS',
    'write into the memory of the system': 'EROFS',
    'write into /tmp': 'refused',
    'write beside its directory': 'EROFS',
    'run a program of the system': 'null',
    'connect to the machine': 'ECONNREFUSED',
    'see the environment of the server': 'NODE_COMPILE_CACHE,NODE_EXTRA_CA_CERTS,PWD',
  },
  // A worker may do what every user of the machine may: connect, run programs, write to /tmp, see command lines.
  separate_user: {
    ...common,
    'write its own file': 'EACCES',
    'read the secret key': 'EACCES',
    'read the database': 'EACCES',
    'read a file of another organization': 'EACCES',
    'list the data directory': 'EACCES',
    'write into the data directory': 'EACCES',
    'list the directories of the machine': 'read',
    'list the configuration of the machine': 'read',
    'read the environment of the server': 'EACCES',
    'read the memory of the server': 'EACCES',
    'read the command line of the server': 'read',
    'list the open files of the server': 'EACCES',
    'signal the server': 'EPERM',
    'write into the program': 'EACCES',
    'write into the compiled program': 'EACCES',
    'write into the memory of the system': 'written',
    'write into /tmp': 'written',
    'write beside its directory': 'ENOENT',
    'run a program of the system': '7',
    'connect to the machine': 'connected',
    'see the environment of the server': 'NODE_EXTRA_CA_CERTS',
  },
} as const;

const isRoot = process.getuid?.() === 0;
const hasBubblewrap = (process.env['PATH'] ?? '').split(':').some((path) => existsSync(join(path, 'bwrap')));

/** Whether each kind of isolation has to work here. If one doesn't, its state must say why. */
const mustWork = {
  bubblewrap: hasBubblewrap && process.env['CI'] === 'true',
  separate_user: isRoot,
};

for (const kind of ['bubblewrap', 'separate_user'] as const) {
  describe(`a worker isolated by ${kind}`, () => {
    test('that runs hostile code reaches only its own files', async (context) => {
      const place = makePlace(context);
      const sandbox = await detectSandbox({ ...place, ways: [kind] });
      if (sandbox.state.kind === 'none') return assertExplained(kind, sandbox);
      const listener = createServer().listen(0, '127.0.0.1');
      context.after(() => listener.close());
      await once(listener, 'listening');
      const { port } = listener.address() as AddressInfo;
      const results = await runHostile(context, sandbox, place, port);
      assert.deepEqual(normalized(results), expectedByKind[kind]);
      assert.equal(readFileSync(place.own, 'utf8'), 'the table');
    });

    test('imports a file, and runs queries over it', async (context) => {
      const place = makePlace(context);
      const sandbox = await detectSandbox({ ...place, ways: [kind] });
      if (sandbox.state.kind === 'none') return assertExplained(kind, sandbox);
      const engine = createQueryEngine({ sandbox, temporaryDirectory: place.temporaryDirectory });
      context.after(() => engine.close());
      const directory = join(place.dataDirectory, 'sources', 'one');
      const [inputFile, outputFile] = [join(directory, 'sales.csv'), join(directory, 'sales.duckdb')];
      const source = {
        engine: duckdb,
        tables: [{ name: 'sales', file: outputFile }],
        tempDirectory: join(directory, 'temp'),
      } as const;
      writeFileSync(inputFile, 'region,amount\nnorth,3\nsouth,4\n', { mode: 0o600 });
      const { tempDirectory } = source;
      const request = { organizationId: 'one', inputFile, format: 'csv', outputFile, tempDirectory } as const;
      assert.equal((await engine.importFile(request)).rowCount, 2);
      const sql = 'SELECT sum(amount) FROM sales';
      const { rowsJson } = await engine.run({ organizationId: 'one', source, sql });
      assert.equal(Buffer.from(rowsJson).toString(), '[[7]]');
      await assert.rejects(engine.importFile({ ...request, format: 'parquet' }), (error: Error) => {
        assert.doesNotMatch(error.message, /worker|proc|temp/, 'the message contains no path');
        return true;
      });
    });
  });
}

test('takes from a worker only a plain file', (context) => {
  const { dataDirectory, own } = makePlace(context);
  const [created, path] = [join(dataDirectory, 'created'), join(dataDirectory, 'moved')];
  for (const place of [
    () => symlinkSync(join(dataDirectory, 'secret-key'), created),
    () => linkSync(own, created),
    () => mkdirSync(created),
  ]) {
    place();
    assert.throws(() => takeFile(created, path), /not a plain file/);
    assert.deepEqual([existsSync(path), readFileSync(own, 'utf8')], [false, 'the table']);
  }
  writeFileSync(created, 'created');
  takeFile(created, path);
  assert.equal(readFileSync(path, 'utf8'), 'created');
});

function assertExplained(kind: keyof typeof mustWork, { state }: QuerySandbox): void {
  assert.equal(mustWork[kind], false, state.reason ?? '');
  assert.match(state.reason ?? '', kind === 'bubblewrap' ? /^bubblewrap is / : /not tried/);
  assert.ok(state.remedy);
}

/** Returns the results without the differences between machines. */
function normalized(results: Record<string, string>): Record<string, string> {
  const texts = { ...results };
  const found = {
    'read the command line of the server': 'node',
    'list the directories of the machine': 'var',
    'list the configuration of the machine': 'passwd',
  };
  for (const [name, part] of Object.entries(found))
    if (texts[name]?.includes(part) === true) texts[name] = 'read';
  // If the program itself is in /tmp, the worker sees a directory of that name.
  if (/^(EROFS|ENOENT)$/.test(texts['write into /tmp'] ?? '')) texts['write into /tmp'] = 'refused';
  return texts;
}

interface Place {
  readonly dataDirectory: string;
  readonly temporaryDirectory: string;
  /** The file of the only table that the worker may read. */
  readonly own: string;
  readonly certificates: string;
}

/** Creates a data directory like that of a server. */
function makePlace(context: TestContext): Place {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'atrium-hostile-'));
  context.after(() => rmSync(dataDirectory, { recursive: true, force: true, maxRetries: 3 }));
  const files = {
    'secret-key': secret,
    'atrium.sqlite': secret,
    'certificates.pem': 'certificates',
    'sources/other/source/table.duckdb': secret,
    'sources/one/own.duckdb': 'the table',
  };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(dataDirectory, name, '..'), { recursive: true });
    writeFileSync(join(dataDirectory, name), content, { mode: 0o600 });
  }
  return {
    dataDirectory,
    temporaryDirectory: join(dataDirectory, 'query-temp'),
    own: join(dataDirectory, 'sources/one/own.duckdb'),
    certificates: join(dataDirectory, 'certificates.pem'),
  };
}

const firstNames = [programDirectory, process.execPath].map((path) => path.split('/')[1]);

/** Starts a hostile worker like the engine starts its workers, and returns its results. */
async function runHostile(
  context: TestContext,
  sandbox: QuerySandbox,
  { dataDirectory, temporaryDirectory, own, certificates: trustedCertificates }: Place,
  port: number,
): Promise<Record<string, string>> {
  const directory = mkdtempSync(join(temporaryDirectory, 'worker-'));
  const marker = `marker-${dataDirectory}`;
  const view = { directory, readableFiles: [own], trustedCertificates };
  const launch = sandbox.launch(view, ['--input-type=module', '--eval', hostileProgram]);
  const child = spawn(launch.command, launch.args, {
    ...launch.options,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
  });
  context.after(() => child.kill('SIGKILL'));
  const visible = ['dev', 'etc', 'lib', 'lib32', 'lib64', 'proc', 'usr', 'worker', ...firstNames];
  const certificates = launch.options.env['NODE_EXTRA_CA_CERTS'];
  child.send({
    server: process.pid,
    port,
    visible,
    program: programDirectory,
    data: dataDirectory,
    directory: launch.pathOf(directory),
    own: launch.pathOf(own),
    certificates,
    marker,
  });
  const [results] = (await once(child, 'message')) as [Record<string, string>];
  assert.ok(findProcesses(marker).length > 0);
  await end(launch, child);
  assert.deepEqual(findProcesses(marker), [], 'a process outlives its worker');
  rmSync('/tmp/written-by-a-worker', { force: true });
  rmSync('/dev/shm/written-by-a-worker', { force: true });
  return results;
}

async function end(launch: Launch, child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  launch.kill(child);
  await ended;
  await launch.finish();
}

const findProcesses = (marker: string): string[] =>
  readdirSync('/proc').filter((name) => {
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(`\0${marker}`);
    } catch {
      return false;
    }
  });
