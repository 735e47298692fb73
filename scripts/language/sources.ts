import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseSync, type Node, type Program } from 'oxc-parser';

export interface Source {
  /** From the root of the project, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly program: Program;
}

const root = join(import.meta.dirname, '..', '..');

/** Returns the parsed source files of folders, without tests. */
export function readSources(...folders: readonly string[]): Source[] {
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,tsx}`);
  return globSync(patterns, { cwd: root })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => !/[.](?:test|d)[.]tsx?$/.test(path))
    .toSorted()
    .map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')));
}

/** Returns a parsed source file. */
export function parseSource(path: string, text: string): Source {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join(' ')}`);
  return { path, text, program };
}

/** Calls `visit` for each node below one, with its parents from the nearest, until `visit` returns false for a branch. */
export function walk(
  node: Node,
  visit: (node: Node, parents: readonly Node[]) => boolean | void,
  parents: readonly Node[] = [],
): void {
  if (visit(node, parents) === false) return;
  for (const value of Object.values(node) as unknown[]) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
      if (isNode(child)) walk(child, visit, [node, ...parents]);
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Returns the line of an offset in a text, from 1. */
export const lineAt = ({ text }: Source, offset: number): number => text.slice(0, offset).split('\n').length;
