import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { stripSymbols } from './strip-symbols.ts';

/** Files of npm packages that no server loads. The licenses are in THIRD-PARTY-LICENSES. */
const unusedFile = /[.](map|[cm]?tsx?|flow|md|markdown)$|^Makefile$|^[.]/i;
/** Folders at the top of an npm package. Deeper ones with these names can contain code that runs. */
const unusedFolder = /^(tests?|__tests__|docs?|examples?|bench|benchmarks?|coverage|node_modules)$/;

/** The paths in large packages that no server loads: bundles for browsers and for other formats of modules, and fonts that exports don't use. */
const unusedParts: Readonly<Record<string, RegExp>> = {
  '@modelcontextprotocol/core': /[.]cjs$/,
  '@modelcontextprotocol/server': /[.]cjs$|^dist\/(ext|stdio|cfWorker|shims(Browser|Workerd))/,
  echarts: /^(dist|i18n|theme)$/,
  zrender: /^(dist|src)$/,
  'world-atlas': /^(?!countries-110m[.]json$|LICENSE$|package[.]json$)/,
  'us-atlas': /^(?!states-albers-10m[.]json$|LICENSE$|package[.]json$)/,
  'i18n-iso-countries': /^(?!codes[.]json$|LICENSE$|package[.]json$)/,
  '@fontsource/inter':
    /^(scss|.*[.]css|files\/(?!inter-(latin|greek|cyrillic)(-ext)?-(400|500|600)-normal[.]woff2$).*)$/,
};

/** Copies what a server loads of an npm package of a name, without the packages inside it. */
export function copyNpmPackage(name: string, from: string, to: string): void {
  const unused = unusedParts[name];
  copy(from, to, (path) => {
    const inside = relative(from, path).replaceAll('\\', '/');
    if (unused?.test(inside) === true || unusedFile.test(basename(path))) return false;
    return !(dirname(path) === from && unusedFolder.test(basename(path)));
  });
}

/** Copies a file, or the files of a folder whose paths pass. Native code loses its symbols. */
export function copy(from: string, to: string, isShipped: (path: string) => boolean = () => true): void {
  const found = statSync(from);
  if (!found.isDirectory())
    return writeShipped(to, stripSymbols(readFileSync(from)), (found.mode & 0o100) === 0 ? 0o644 : 0o755);
  for (const name of readdirSync(from)) {
    const path = join(from, name);
    if (isShipped(path)) copy(path, join(to, name), isShipped);
  }
}

/** Writes a file that every user may read, and run if it is a program, whatever this process's umask is. */
export function writeShipped(path: string, content: string | Buffer, mode: 0o644 | 0o755 = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
}
