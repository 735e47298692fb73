import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { TSchema } from 'typebox';
import { closed } from '#contract/validation/closed.ts';
import { faultFinder } from '#contract/validation/fault-finder.ts';
import { CommandFailure, codeOf } from '../failure.ts';
import { printable } from '../usage/printable.ts';
import { formats, type CodeDocument, type Format } from './formats.ts';
import { keyOf, type CodeFile } from './names.ts';

const maxFileBytes = 16 * 1024 * 1024;

/**
 * Returns the documents in a directory, sorted by file name; none if it doesn't exist. Subdirectories and files that are not JSON are
 * ignored, and so are JSON files of other formats. Throws a `CommandFailure` with every fault of every file.
 */
export function readDirectory(directory: string): CodeFile[] {
  const faults: string[] = [];
  const files: CodeFile[] = [];
  const names = new Map<string, string>();
  const keys = new Map<string, string>();
  const fault = (file: string, message: string) => faults.push(`${printable(file)}: ${message}`);
  for (const entry of listJson(directory)) {
    const { name } = entry;
    if (entry.isSymbolicLink()) {
      fault(name, 'is a symbolic link, which is not followed');
      continue;
    }
    if (!entry.isFile()) continue;
    const twin = names.get(name.toLowerCase());
    if (twin !== undefined)
      fault(name, `has the same name as ${printable(twin)} on systems that ignore case`);
    names.set(name.toLowerCase(), name);
    const read = readFile(directory, name);
    if (read === 'other') continue;
    if ('faults' in read) {
      for (const message of read.faults) fault(name, message);
      continue;
    }
    const key = keyOf(read.document);
    const same = keys.get(key);
    if (same !== undefined) fault(name, `describes the same as ${printable(same)}`);
    keys.set(key, name);
    files.push(read);
  }
  if (faults.length > 0) throw new CommandFailure(faults.join('\n'));
  return files;
}

function listJson(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter(({ name }) => name.toLowerCase().endsWith('.json'))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function readFile(
  directory: string,
  name: string,
): CodeFile | { readonly faults: readonly string[] } | 'other' {
  const text = readText(join(directory, name));
  if (text === undefined) return { faults: ['is larger than 16 MiB'] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return text.includes('"atrium.') ||
      /[.](report|source|models|sso)[.]json$|^(members|sso|organization)[.]json$/.test(name)
      ? { faults: [`is not JSON: ${printable(error instanceof Error ? error.message : '')}`] }
      : 'other';
  }
  const format = formatOf(value);
  if (format === undefined) return 'other';
  if (!Object.hasOwn(formats, format))
    return { faults: [`has the format ${printable(format)}, which this version doesn't know`] };
  const faults = findFaults(value, format as Format);
  // Sound because it matches the schema of the type.
  return faults.length > 0 ? { faults } : { name, text, document: value as CodeDocument };
}

/** Returns the text of a file; undefined if it is too large. A link that has taken its place is not followed. */
function readText(path: string): string | undefined {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return fstatSync(descriptor).size > maxFileBytes ? undefined : readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

const formatOf = (value: unknown): string | undefined =>
  typeof value === 'object' &&
  value !== null &&
  'format' in value &&
  typeof value.format === 'string' &&
  value.format.startsWith('atrium.')
    ? value.format
    : undefined;

const finders = new Map<Format, ReturnType<typeof faultFinder>>();

/** Returns every fault of a document, with where it is. */
export function findFaults(value: unknown, format: Format): string[] {
  const schema: TSchema = formats[format];
  const find = finders.get(format) ?? faultFinder(closed(schema));
  finders.set(format, find);
  return find(value).map(({ pointer, message }) =>
    [pointer.slice(1), message].map(printable).join(' ').trim(),
  );
}

/** What `pull` does to a directory. */
export interface FileChanges {
  readonly created: readonly CodeFile[];
  readonly updated: readonly CodeFile[];
  readonly removed: readonly string[];
  readonly unchanged: number;
}

/**
 * Returns what has to change so that a directory has these files instead of `before`. Throws a `CommandFailure` if a name is taken by
 * something else.
 */
export function compareFiles(
  directory: string,
  before: readonly CodeFile[],
  files: readonly CodeFile[],
): FileChanges {
  const texts = new Map(before.map(({ name, text }) => [name, text]));
  const created = files.filter(({ name }) => !texts.has(name));
  const blocked = created.filter(
    ({ name }) => lstatSync(join(directory, name), { throwIfNoEntry: false }) !== undefined,
  );
  if (blocked.length > 0)
    throw new CommandFailure(
      blocked.map(({ name }) => `${name}: exists with other content, and is not overwritten`).join('\n'),
    );
  const updated = files.filter(({ name, text }) => texts.has(name) && texts.get(name) !== text);
  const kept = new Set(files.map(({ name }) => name));
  const removed = before.map(({ name }) => name).filter((name) => !kept.has(name));
  return { created, updated, removed, unchanged: files.length - created.length - updated.length };
}

/** Changes the files of a directory. A file is replaced as a whole, and a link is replaced instead of followed. */
export function changeFiles(directory: string, { created, updated, removed }: FileChanges): void {
  mkdirSync(directory, { recursive: true });
  for (const { name, text } of [...created, ...updated]) {
    const unfinished = join(directory, `.${name}.${randomUUID()}.new`);
    writeFileSync(unfinished, text, { flag: 'wx' });
    renameSync(unfinished, join(directory, name));
  }
  for (const name of removed) rmSync(join(directory, name));
}
