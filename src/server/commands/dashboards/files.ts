import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AtriumDocument } from '#contract/records/documents.ts';
import type { Fault } from '#contract/problem.ts';
import type { CodeFile } from '../../../cli/code/names.ts';
import { AtriumError, invalidFaults } from '../../base/errors.ts';
import { newToken } from '../../base/credentials/tokens.ts';
import { parseJsonBody } from '../../http/request/json-body.ts';
import { parseJsonLines } from '../../http/request/json-lines.ts';
import { closed } from '#contract/validation/closed.ts';
import { faultFinder } from '#contract/validation/fault-finder.ts';
import { withoutStackTrace } from '../files.ts';

/** A file with the document of a dashboard or a report. */
export type DocumentFile = CodeFile<AtriumDocument>;

export interface DocumentDirectory {
  readonly files: readonly DocumentFile[];
  /** The names of its other JSON files. */
  readonly others: readonly string[];
}

/**
 * Reads the documents of dashboards and reports in a directory, sorted by file name; subdirectories and links are
 * ignored. JSON files with another format are listed separately. Throws `invalid_body` with every fault of every
 * document.
 */
export function readDocumentFiles(directory: string): DocumentDirectory {
  const files: DocumentFile[] = [];
  const others: string[] = [];
  const faults: Fault[] = [];
  for (const name of jsonFilesIn(directory)) {
    const bytes = withoutStackTrace(() => readFileSync(join(directory, name)));
    const reading = readDocument(name, bytes);
    if (reading === 'other') others.push(name);
    else if ('document' in reading) files.push({ name, text: bytes.toString('utf8'), ...reading });
    else faults.push(...reading.faults.map((fault) => ({ ...fault, pointer: `/${name}${fault.pointer}` })));
  }
  if (faults.length > 0) throw invalidFaults(faults);
  return { files, others };
}

/**
 * Reads the documents of an NDJSON text, which are named by their numbers. Throws `malformed_json`, and `invalid_body`
 * with every fault of every document.
 */
export function readDocumentLines(bytes: Buffer): DocumentDirectory {
  const values = parseJsonLines(bytes, 'documents');
  const faults = values.flatMap((value, index) =>
    findFaults(value).map((fault) => ({ ...fault, pointer: `/documents/${index}${fault.pointer}` })),
  );
  if (faults.length > 0) throw invalidFaults(faults);
  const files = values.map((value, index) => ({
    name: `documents/${index}`,
    text: JSON.stringify(value),
    // Sound because it matches the schema of the type.
    document: value as AtriumDocument,
  }));
  return { files, others: [] };
}

function jsonFilesIn(directory: string): string[] {
  return withoutStackTrace(() => readdirSync(directory, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map(({ name }) => name)
    .toSorted();
}

const findFaults = faultFinder(closed(AtriumDocument));

function readDocument(
  name: string,
  bytes: Buffer,
): { document: AtriumDocument } | { faults: readonly Fault[] } | 'other' {
  try {
    const value = parseJsonBody(bytes);
    if (!isDocument(value)) return 'other';
    const faults = findFaults(value);
    // Sound because it matches the schema of the type.
    return faults.length > 0 ? { faults } : { document: value as AtriumDocument };
  } catch (error) {
    if (!(error instanceof AtriumError)) throw error;
    if (!seemsToBeDocument(name, bytes)) return 'other';
    const { faults = [{ pointer: '', code: error.code, message: `cannot be read. ${error.message}` }] } =
      error;
    return { faults };
  }
}

/** Whether an unreadable file is probably a document, such as an empty one or one with merge conflict markers. */
const seemsToBeDocument = (name: string, bytes: Buffer): boolean =>
  /-[0-9a-f]{12}([.]report)?[.]json$/.test(name) ||
  ['"atrium.dashboard/', '"atrium.report/'].some((start) => bytes.includes(start));

/**
 * Whether a value is a document in any version of the format; an unknown version is a fault, not another kind of file.
 */
const isDocument = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'format' in value &&
  typeof value.format === 'string' &&
  /^atrium[.](dashboard|report)[/]/.test(value.format);

export interface FileChanges {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: number;
}

/**
 * Replaces the documents in a directory with these; the directory is created if it does not exist, and other files
 * stay. Unchanged files are not written. Throws `invalid_body` if a document in the directory cannot be read.
 */
export function writeDocumentFiles(directory: string, files: readonly DocumentFile[]): FileChanges {
  withoutStackTrace(() => mkdirSync(directory, { recursive: true }));
  const before = new Map(readDocumentFiles(directory).files.map(({ name, text }) => [name, text]));
  const written = files.filter(({ name, text }) => before.get(name) !== text);
  const blocked = written.filter(({ name }) => !before.has(name) && isTaken(join(directory, name)));
  if (blocked.length > 0) {
    const faults = blocked.map(({ name }) => ({
      pointer: `/${name}`,
      code: 'taken',
      message: 'is not a document of a dashboard or report, and is not overwritten',
    }));
    throw invalidFaults(faults);
  }
  const kept = new Set(files.map(({ name }) => name));
  const removed = [...before.keys()].filter((name) => !kept.has(name));
  withoutStackTrace(() => {
    for (const { name, text } of written) writeAtomically(join(directory, name), text);
    for (const name of removed) rmSync(join(directory, name));
  });
  return { written: written.map(({ name }) => name), removed, unchanged: files.length - written.length };
}

const isTaken = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Writes a file atomically: if it is interrupted, no partial document is left under its name. */
function writeAtomically(path: string, text: string): void {
  const unfinished = `${path}.${newToken()}.new`;
  writeFileSync(unfinished, text, { flag: 'wx' });
  renameSync(unfinished, path);
}
