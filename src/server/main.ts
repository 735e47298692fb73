// `npm start` and `atrium serve`. Loads the server from compiled code, if it was started before: that saves a third of the start.
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join, resolve } from 'node:path';
import { compiledCodeDirectory } from './base/program.ts';

// Only the owner can read files that are created here, whatever directory they are in.
process.umask(0o077);
if (existsSync('.env')) process.loadEnvFile();
const dataDirectory = resolve(process.env['ATRIUM_DATA_DIR']?.trim() || './data');
enableCompileCache(join(compiledCodeDirectory(dataDirectory), 'server'));
await import('./start.ts');
