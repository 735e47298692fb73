// `npm start` and `atrium serve`. Loads the server from compiled code, if it was started before: that saves a third of the start.
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { compiledCodeDirectory, dataDirectoryOf } from './base/program.ts';

// Only the owner can read files that are created here, whatever directory they are in.
process.umask(0o077);
if (existsSync('.env')) process.loadEnvFile();
const dataDirectory = dataDirectoryOf(process.env['ATRIUM_DATA_DIR']);
enableCompileCache(join(compiledCodeDirectory(dataDirectory), 'server'));
await import('./start.ts');
