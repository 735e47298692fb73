import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { create } from 'tar';
import packageJson from '../../package.json' with { type: 'json' };
import { copy, copyNpmPackage, writeShipped } from './copy.ts';
import { thirdPartyLicenses } from './licenses.ts';
import { sampleNotice } from './sample-notice.ts';
import { billOfMaterials } from './sbom.ts';
import { findRuntime, listShippedPackages } from './shipped-packages.ts';

export interface Release {
  /** The unpacked package. */
  readonly directory: string;
  /** The same as an archive, beside it. */
  readonly archive: string;
}

/**
 * Builds the package of this platform from a checkout whose pages and sample are built: what a server needs and nothing else.
 * The same checkout gives the same bytes. Nothing is downloaded.
 */
export async function buildPackage(root: string, into: string, compressionLevel = 9): Promise<Release> {
  const name = `atrium-${packageJson.version}-${process.platform}-${process.arch}`;
  const directory = join(into, name);
  rmSync(directory, { recursive: true, force: true });
  copyProgram(root, directory);
  const packages = listShippedPackages(root);
  for (const { name: packageName, path, parts } of packages)
    if (parts.includes('server')) copyNpmPackage(packageName, join(root, path), join(directory, path));
  const releasedAt = releaseTime(root);
  writeShipped(join(directory, 'sbom.cdx.json'), billOfMaterials(packages, releasedAt));
  const software = packages.filter(({ parts }) => !parts.includes('sample'));
  const licenses = `${thirdPartyLicenses(root, software)}\n${sampleNotice(root)}`;
  writeShipped(join(directory, 'THIRD-PARTY-LICENSES'), licenses);
  writeShipped(join(directory, 'SHA256SUMS'), checksums(directory, filesIn(directory)));
  const archive = `${directory}.tar.gz`;
  // `portable` leaves out who owns the files here, so that the archive depends only on the checkout.
  await create(
    { cwd: into, file: archive, gzip: { level: compressionLevel }, portable: true, mtime: releasedAt },
    filesIn(directory).map((file) => join(name, file)),
  );
  writeFileSync(`${archive}.sha256`, checksums(into, [`${name}.tar.gz`]));
  return { directory, archive };
}

/** What a release contains of a checkout whose pages and sample are built. */
export const shippedFiles = [
  'src/atrium.js',
  'src/cli',
  'src/client',
  'src/server',
  'src/shared',
  'src/contract',
  'src/charts',
  'dist/web',
  'dist/sample',
  'docs',
  'deploy',
  'LICENSE',
  'SECURITY.md',
  'CHANGELOG.md',
  'README.md',
];

function copyProgram(root: string, directory: string): void {
  // Without `scripts`, by which base/program.js recognizes a checkout.
  const { name: packageName, version, description, license, type, imports } = packageJson;
  const shippedJson = { name: packageName, version, description, license, type, imports };
  writeShipped(join(directory, 'package.json'), `${JSON.stringify(shippedJson, null, 2)}\n`);
  const launcher = readFileSync(join(root, 'scripts', 'package', 'atrium.sh'));
  writeShipped(join(directory, 'bin', 'atrium'), launcher, 0o755);
  for (const name of shippedFiles)
    copy(join(root, name), join(directory, name), (path) => !unusedSource.test(path));
  copy(join(root, findRuntime(root), 'bin', 'node'), join(directory, 'runtime', 'node'));
}

/** Tests, declarations, what builds the sample, and the records of what was built from what. */
const unusedSource = /[.](test|d)[.]ts$|[/\\]sample[/\\]build[.]ts$|[/\\][.](built-from|packages[.]json)$/;

/**
 * Returns the time of the files in the archive: that of the commit, or SOURCE_DATE_EPOCH, in seconds. Browsers recognize a new
 * version of a file by its time, so releases must not share one.
 */
function releaseTime(root: string): Date {
  const seconds =
    process.env['SOURCE_DATE_EPOCH'] ??
    spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }).stdout;
  return new Date(Number(seconds || 0) * 1_000);
}

/** Returns the lines of `sha256sum` for files of a directory. */
const checksums = (directory: string, files: readonly string[]): string =>
  files
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(directory, file)))
          .digest('hex')}  ${file}\n`,
    )
    .join('');

/** Returns the paths of all files in a directory, relative to it and sorted. */
const filesIn = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .toSorted();
