// `npm run package`: builds the release package of this platform in dist/package (docs/operation/package.md).
import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildPackage } from './package/build.ts';

const root = join(import.meta.dirname, '..');
const { directory, archive } = await buildPackage(root, join(root, 'dist', 'package'));
console.log(`${relative(root, directory)}\n${relative(root, archive)} (${statSync(archive).size} bytes)`);
