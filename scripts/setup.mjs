// Runs before `npm start`, `npm test` and the like, on whatever Node the machine has (>= 20), before
// anything is installed: so plain JavaScript without dependencies. With --web it also builds the web application and
// the sample.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const binaries = join(root, 'node_modules', '.bin');
const oldestBootstrapNode = 20;
const serverNode = 26;

const webApplication = {
  name: 'the web application',
  folder: 'web',
  sources: () => [
    ...sourceFiles(join('src', 'shared')),
    ...sourceFiles(join('src', 'charts')),
    ...sourceFiles(join('src', 'web')),
    'vite.config.ts',
  ],
  command: 'vite',
  args: ['build', '--logLevel', 'warn'],
};
const sample = {
  name: 'the sample data',
  folder: 'sample',
  sources: () => ['build.ts', 'tables.ts'].map((file) => join('src', 'server', 'sample', file)),
  command: 'node',
  args: [join('src', 'server', 'sample', 'build.ts')],
};

setUp();

function setUp() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < oldestBootstrapNode) {
    stop(`Node.js ${oldestBootstrapNode} or newer is needed; this is ${process.version}.`);
  }
  if (!installedFitsLock()) {
    install();
    requireStartingNode();
  }
  if (!runsServerNode(major)) {
    stop(
      `npm has no Node.js ${serverNode} for ${process.platform} ${process.arch}. ` +
        `Install Node.js ${serverNode} or newer yourself and run this again.`,
    );
  }
  if (!process.argv.includes('--web')) return;
  buildWhenStale(webApplication);
  buildWhenStale(sample);
}

/** Builds a folder of dist, unless it was already built from the same files. */
function buildWhenStale({ name, folder, sources, command, args }) {
  const record = join(root, 'dist', folder, '.built-from');
  const hash = hashOf([...sources(), 'package-lock.json'].map((file) => join(root, file)));
  if (existsSync(record) && readFileSync(record, 'utf8') === hash) return;
  console.log(`Building ${name}…`);
  const result = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH}` },
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (result.error) stop(`Building ${name} failed: ${result.error.message}`);
  if (result.status !== 0) stop(`Building ${name} failed. The message is above.`);
  writeFileSync(record, hash);
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

function sourceFiles(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/[.]test[.]tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .toSorted();
}

/**
 * Whether the packages in node_modules are those of the lock file. npm writes a list of them there at the end
 * of each install, so this works no matter who ran npm. Optional packages for other platforms can be absent.
 */
function installedFitsLock() {
  const locked = readPackages(join(root, 'package-lock.json'));
  if (!locked) stop('package-lock.json is missing or broken.');
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (!installed) return false;
  for (const [path, entry] of Object.entries(locked)) {
    if (path === '') continue;
    const found = installed[path];
    if (!found && entry.optional) continue;
    if (!found || found.version !== entry.version || found.integrity !== entry.integrity) return false;
  }
  return Object.keys(installed).every((path) => path in locked);
}

/** The `packages` of a lock file by their path, or undefined when it cannot be read. */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function install() {
  console.log('Installing packages…');
  // The development packages are needed for the checks, the tests and the build, whatever NODE_ENV is.
  const options = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
  ];
  const npm = npmCommand();
  const result = spawnSync(npm.command, [...npm.args, ...options], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    shell: npm.shell,
  });
  if (result.error) stop(`npm could not be started: ${result.error.message}`);
  if (result.status !== 0) {
    if (result.stdout) process.stderr.write(result.stdout);
    stop(`npm ci failed (${result.signal ?? `exit code ${result.status}`}). Its message is above.`);
  }
  if (!installedFitsLock()) stop('npm ci ended well, but node_modules still does not fit package-lock.json.');
}

/** Stops with the reason if the Node from npm doesn't start, as on a minimal system without libatomic. */
function requireStartingNode() {
  const program = join(binaries, 'node');
  if (process.platform === 'win32' || !existsSync(program)) return;
  const { status, stderr } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (status === 0) return;
  const hint = /libatomic/.test(stderr ?? '')
    ? '. Install it: `apt-get install libatomic1`, or `dnf install libatomic`.'
    : '';
  stop(`Node.js ${serverNode} from npm doesn't start here: ${(stderr ?? '').trim()}${hint}`);
}

/** The npm that runs this script, on the Node it runs on; outside of npm, the one in PATH. */
function npmCommand() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  if (script && node && /npm-cli\.[cm]?js$/.test(script) && existsSync(script) && existsSync(node)) {
    return { command: node, args: [script], shell: false };
  }
  return { command: 'npm', args: [], shell: process.platform === 'win32' };
}

/** Whether npm's scripts, which find node_modules/.bin first, will run on a Node that runs TypeScript. */
function runsServerNode(major) {
  const shipped = ['node', 'node.cmd', 'node.exe'].some((name) => existsSync(join(binaries, name)));
  return shipped || major >= serverNode;
}

function stop(message) {
  console.error(`Atrium: ${message}`);
  process.exit(1);
}
