// JavaScript, as `prepare-process.js` is.
import { join, resolve } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };

/** The directory of the program, which contains package.json. */
export const programDirectory = join(import.meta.dirname, '..', '..', '..');

/** Whether the program is an installed release package, whose package.json has no npm scripts, instead of a checkout. */
const isReleasePackage = !('scripts' in packageJson);

/** What an operator types before the words of a command. */
export const operatorCommand = isReleasePackage ? 'atrium server' : 'npm run atrium -- server';

/** What an operator types to run the server. */
export const serverCommand = isReleasePackage ? 'atrium serve' : 'npm start';

/**
 * Returns the absolute path of the data directory that `ATRIUM_DATA_DIR` names; without it, `data` in the working directory.
 * @param {string | undefined} setting
 */
export const dataDirectoryOf = (setting) => resolve(setting?.trim() || './data');

/**
 * Returns where compiled code is stored between starts: beside the data for a release package, whose own directory can be
 * read-only.
 * @param {string} dataDirectory
 */
export const compiledCodeDirectory = (dataDirectory) =>
  isReleasePackage ? join(dataDirectory, 'compiled-code') : join(programDirectory, 'node_modules', '.cache');
