import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a part of a release is from: `server` packages are in node_modules, the others became a part of something else. */
export type Part = 'server' | 'runtime' | 'pages' | 'sample';

/** A package of npm of which a release contains at least a part. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** The SPDX expression of its license. */
  readonly license: string;
  /** The checksum of the archive that npm installed, such as `sha512-…`. */
  readonly integrity: string;
  /** Its directory, relative to the checkout: `node_modules/pg`. Several versions of a package can be there. */
  readonly path: string;
  readonly parts: readonly Part[];
}

interface LockedPackage extends Pick<ShippedPackage, 'version' | 'license' | 'integrity'> {
  readonly name?: string;
  readonly dev?: boolean;
}

/** The paths of the packages of which the built pages contain code or styles. Written by vite.config.ts. */
const webPackagesFile = join('dist', 'web', '.packages.json');
const samplePackage = 'node_modules/vega-datasets';

/**
 * Returns the packages that a release for this platform contains, sorted by path. Everything installed is for the server,
 * unless the lock file says that only development needs it.
 */
export function listShippedPackages(root: string): readonly ShippedPackage[] {
  // Sound because npm wrote it.
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  // Sound because vite.config.ts wrote it.
  const ofPages = new Set(JSON.parse(readFileSync(join(root, webPackagesFile), 'utf8')) as string[]);
  const runtime = findRuntime(root);

  function partsOf(path: string, { dev }: LockedPackage): Part[] {
    if (path === runtime) return ['runtime'];
    if (path === samplePackage) return ['sample'];
    return [
      ...(dev === true ? [] : (['server'] as const)),
      ...(ofPages.has(path) ? (['pages'] as const) : []),
    ];
  }

  return Object.entries(packages)
    .filter(([path]) => path !== '' && existsSync(join(root, path)))
    .map(([path, locked]) => {
      const { version, license, integrity } = locked;
      const name = locked.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { name, version, license, integrity, path, parts: partsOf(path, locked) };
    })
    .filter(({ parts }) => parts.length > 0)
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** Returns the path of the package that contains Node.js for this platform. */
export function findRuntime(root: string): string {
  const platform = `${process.platform}-${process.arch}`;
  const paths = [`node_modules/node-${platform}`, `node_modules/node-bin-${platform}`];
  const path = paths.find((name) => existsSync(join(root, name)));
  if (path === undefined)
    throw new Error(`npm has no Node.js for ${platform}, so there is no release package for it.`);
  return path;
}
