import { join } from 'node:path';

/** Where the program lies: the directory of package.json. */
export const programDirectory = join(import.meta.dirname, '..', '..', '..', '..');

/** What of the program a worker runs. package.json says how the rest is imported. */
export const programFiles: readonly string[] = [
  'package.json',
  'node_modules',
  join('src', 'contract'),
  join('src', 'server', 'queries'),
].map((name) => join(programDirectory, name));

/** Whether a path is a directory or anything in there. Both are absolute and normal. */
export const isInside = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory.endsWith('/') ? directory : `${directory}/`);
