// `npm run package:client`: builds the package of the client in dist/client (docs/api-client.md).
import { join, relative } from 'node:path';
import { buildClient } from './package/client.ts';

const root = join(import.meta.dirname, '..');
const directory = buildClient(root, join(root, 'dist', 'client'));
console.log(`${relative(root, directory)}: npm pack ./${relative(root, directory)} makes an archive of it`);
