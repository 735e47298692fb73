import { join } from 'node:path';
import { programDirectory } from '../../base/program.js';

/** The parts of the program that workers run, and package.json, which defines how they import each other. */
export const programFiles: readonly string[] = [
  'package.json',
  'node_modules',
  join('src', 'shared'),
  join('src', 'contract'),
  join('src', 'charts'),
  join('src', 'server', 'exports'),
  join('src', 'server', 'engine'),
].map((name) => join(programDirectory, name));

/** Whether a path is the directory or is inside it. Both must be absolute and normalized. */
export const isInside = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory.endsWith('/') ? directory : `${directory}/`);
