import { join } from 'node:path';

/** The directory of the program, which contains package.json. */
export const programDirectory = join(import.meta.dirname, '..', '..', '..', '..');

/** The parts of the program that a worker runs, and package.json, which defines how they import each other. */
export const programFiles: readonly string[] = [
  'package.json',
  'node_modules',
  join('src', 'shared'),
  join('src', 'contract'),
  join('src', 'server', 'engine'),
].map((name) => join(programDirectory, name));

/** Where the compiled code of the worker program is, which workers see together with the program. */
export const compileCacheDirectory = join(programDirectory, 'node_modules', '.cache', 'query-workers');

/** Whether a path is the directory or is inside it. Both must be absolute and normalized. */
export const isInside = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory.endsWith('/') ? directory : `${directory}/`);
