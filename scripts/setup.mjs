// Runs before `npm start`, `npm test` and the like, on whatever Node the machine has (>= 20), before
// anything is installed: so plain JavaScript without dependencies. With --web it builds the web application, too.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const binaries = join(root, 'node_modules', '.bin');
const oldestBootstrapNode = 20;
const serverNode = 26;

setUp();

function setUp() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < oldestBootstrapNode) {
    stop(`Node.js ${oldestBootstrapNode} or newer is needed; this is ${process.version}.`);
  }
  if (!installedFitsLock()) install();
  if (!runsServerNode(major)) {
    stop(
      `npm has no Node.js ${serverNode} for ${process.platform} ${process.arch}. ` +
        `Install Node.js ${serverNode} or newer yourself and run this again.`,
    );
  }
  if (process.argv.includes('--web')) buildWebApp();
}

/** Builds the web application, unless it was already built from the same sources. */
function buildWebApp() {
  const record = join(root, 'dist', 'web', '.built-from');
  const sources = hashOfWebSources();
  if (existsSync(record) && readFileSync(record, 'utf8') === sources) return;
  console.log('Building the web application…');
  const result = spawnSync('vite', ['build', '--logLevel', 'warn'], {
    cwd: root,
    env: { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH}` },
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (result.error) stop(`The web application could not be built: ${result.error.message}`);
  if (result.status !== 0) stop('The web application could not be built. The message is above.');
  writeFileSync(record, sources);
}

function hashOfWebSources() {
  const files = [...sourceFiles(join('src', 'shared')), ...sourceFiles(join('src', 'web'))];
  const hash = createHash('sha256');
  for (const file of [...files, join(root, 'vite.config.ts'), join(root, 'package-lock.json')]) {
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

function sourceFiles(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/[.]test[.]tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
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
