import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { copy, writeShipped } from './copy.ts';

/**
 * Builds the client as a package for npm, and returns its directory: JavaScript without dependencies for browsers and Node, and types,
 * which are those of the contract. Nothing is downloaded.
 */
export function buildClient(root: string, directory: string): string {
  rmSync(directory, { recursive: true, force: true });
  compile(root, join(directory, 'lib'));
  writeShipped(join(directory, 'package.json'), `${JSON.stringify(clientPackage, null, 2)}\n`);
  copy(join(root, 'LICENSE'), join(directory, 'LICENSE'));
  copy(join(root, 'docs', 'api-client.md'), join(directory, 'README.md'));
  return directory;
}

const clientPackage = {
  name: 'atrium-client',
  version: packageJson.version,
  description: 'A typed client of the API of Atrium, for browsers and Node.js.',
  license: packageJson.license,
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20' },
  exports: { '.': { types: './lib/client/client.d.ts', default: './lib/client/client.js' } },
  imports: { '#contract/*.ts': './lib/contract/*.d.ts', '#shared/*.ts': './lib/shared/*.d.ts' },
  // Its types are those of the schemas. Its code is never loaded.
  dependencies: { typebox: packageJson.dependencies.typebox },
};

const options = [
  '--ignoreConfig --declaration --rewriteRelativeImportExtensions --verbatimModuleSyntax --erasableSyntaxOnly',
  '--module nodenext --target es2022 --lib esnext,dom,dom.iterable,dom.asynciterable --types node',
  '--strict --exactOptionalPropertyTypes --skipLibCheck',
]
  .join(' ')
  .split(' ');

function compile(root: string, into: string): void {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const folders = ['--rootDir', join(root, 'src'), '--outDir', into];
  const { stdout } = spawnSync(
    process.execPath,
    [compiler, ...options, ...folders, join(root, 'src', 'client', 'client.ts')],
    { cwd: root, encoding: 'utf8' },
  );
  // TS2877: an import by `#contract` is not rewritten. All of them are of types, and not in the JavaScript of the client.
  const faults = stdout.split('\n').filter((line) => line !== '' && !line.includes(' TS2877: '));
  if (faults.length > 0) throw new Error(`The client can't be compiled:\n${faults.join('\n')}`);
  // The client imports only types of other folders.
  for (const entry of readdirSync(into, { recursive: true, withFileTypes: true }))
    if (entry.name.endsWith('.js') && entry.parentPath !== join(into, 'client'))
      rmSync(join(entry.parentPath, entry.name));
}
