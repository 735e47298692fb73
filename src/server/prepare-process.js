// What programs do first. In JavaScript: Node takes a tenth of a second to load its compiler for TypeScript, which it doesn't need once
// everything is compiled.
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { compiledCodeDirectory, dataDirectoryOf } from './base/program.js';

/** Loads the settings of `.env`, and lets only the owner read files that this process creates, whatever directory they are in. */
export function prepareProcess() {
  process.umask(0o077);
  if (existsSync('.env')) process.loadEnvFile();
}

/** Loads code that an earlier process has compiled, and stores what this one compiles. */
export function loadCompiledCode() {
  enableCompileCache(join(directory(), 'server'));
}

/** Does the same for a command, which must not create the data directory or anything in it. */
export function loadCompiledCodeIfStored() {
  if (existsSync(directory())) loadCompiledCode();
}

const directory = () => compiledCodeDirectory(dataDirectoryOf(process.env['ATRIUM_DATA_DIR']));
