import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package of npm of which a release contains at least a part. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** The SPDX expression of its license. */
  readonly license: string;
  /** The checksum of the archive that npm installed, such as `sha512-…`. */
  readonly integrity: string;
  /** Its directory, relative to the checkout: `node_modules/pg`. */
  readonly path: string;
}

interface LockedPackage extends Omit<ShippedPackage, 'name' | 'path'> {
  readonly name?: string;
  readonly dev?: boolean;
}

/** Returns the packages that the server loads, without the runtime: everything installed that is not for development only. */
export function listServerPackages(root: string): readonly ShippedPackage[] {
  const runtime = findRuntime(root);
  return listInstalled(root).filter(({ path, dev }) => dev !== true && path !== runtime.path);
}

/** Returns the package that contains Node.js for this platform. */
export function findRuntime(root: string): ShippedPackage {
  const platform = `${process.platform}-${process.arch}`;
  const names = [`node_modules/node-${platform}`, `node_modules/node-bin-${platform}`];
  const runtime = listInstalled(root).find(({ path }) => names.includes(path));
  if (runtime === undefined)
    throw new Error(`npm has no Node.js for ${platform}, so there is no package for it.`);
  return runtime;
}

function listInstalled(root: string): readonly (ShippedPackage & Pick<LockedPackage, 'dev'>)[] {
  // Sound because npm wrote it.
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  return Object.entries(packages)
    .filter(([path]) => path !== '' && existsSync(join(root, path)))
    .map(([path, { name, ...locked }]) => ({
      ...locked,
      path,
      name: name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    }));
}
