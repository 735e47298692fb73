import { readFileSync, statSync } from 'node:fs';
import {
  maxFileSize,
  ImportError,
  type ChosenSource,
  type Conversion,
} from '#shared/importers/conversion.ts';
import { detectForeign } from '#shared/importers/detect.ts';
import { findDataSourceName } from '../../data-sources/names.ts';
import type { Reader } from '../../storage/database.ts';
import { printable, UsageError } from '../command.ts';
import { withoutStackTrace } from '../files.ts';
import { readDocumentLines, type DocumentDirectory } from './files.ts';

/** The documents of a dashboard of another program, and what was lost. */
export interface ForeignDocuments extends DocumentDirectory {
  readonly conversion: Conversion;
}

/** Whether a path is a file, and not the directory of an export. */
export const isFile = (path: string): boolean => withoutStackTrace(() => statSync(path)).isFile();

/**
 * Returns the documents of a file of Grafana. `choices` has a line for each data source, `NAME=ID`. Throws a `UsageError` if the
 * file isn't one, or if a data source has no choice or an unknown one.
 */
export async function readForeignFile(
  path: string,
  reader: Reader,
  { organizationId, choices }: { readonly organizationId: string; readonly choices: string | undefined },
): Promise<ForeignDocuments> {
  const { size } = withoutStackTrace(() => statSync(path));
  if (size > maxFileSize) throw new UsageError('The file is larger than 4 MiB.');
  const text = withoutStackTrace(() => readFileSync(path, 'utf8'));
  const chosen = await findChosen(reader, organizationId, choices);
  try {
    const conversion = detectForeign(text)?.convert(chosen);
    if (conversion === undefined) throw new UsageError(`${path} is not a dashboard of Grafana.`);
    const known = new Set(conversion.sources.map(({ name }) => name));
    const unknown = [...chosen.keys()].filter((name) => !known.has(name));
    const missing = conversion.sources.filter(({ name }) => !chosen.has(name));
    if (unknown.length > 0)
      throw new UsageError(`The file has no data source ${unknown.map(printable).join(', ')}.`);
    if (missing.length > 0)
      throw new UsageError(
        `Choose a data source for each of these:\n${missing
          .map(
            ({ name, type, queryCount }) =>
              `  --source "${printable(name)}=ID"  ${printable(type)}, ${queryCount} queries`,
          )
          .join('\n')}`,
      );
    const lines = conversion.documents.map((document) => JSON.stringify(document)).join('\n');
    return { ...readDocumentLines(Buffer.from(lines)), conversion };
  } catch (error) {
    throw error instanceof ImportError ? new UsageError(error.message) : error;
  }
}

async function findChosen(
  reader: Reader,
  organizationId: string,
  choices: string | undefined,
): Promise<ReadonlyMap<string, ChosenSource>> {
  const chosen = new Map<string, ChosenSource>();
  for (const choice of choices === undefined ? [] : choices.split('\n')) {
    const end = choice.lastIndexOf('=');
    const id = choice.slice(end + 1);
    if (end < 1 || id === '')
      throw new UsageError(`--source must have the form NAME=ID: ${printable(choice)}`);
    const source = await findDataSourceName(reader, organizationId, id);
    if (source === undefined)
      throw new UsageError(`The organization has no data source with the ID ${printable(id)}.`);
    chosen.set(choice.slice(0, end), source);
  }
  return chosen;
}

/** Returns a line for each note on what was lost or changed. */
export const noteLines = ({ notes, noteCount }: Conversion): string[] => [
  ...(noteCount === 0 ? [] : [`Lost or changed: ${noteCount}`]),
  ...notes.map(({ where, what }) => printable(where === '' ? `  ${what}` : `  ${where}: ${what}`)),
  ...(noteCount > notes.length ? [`  and ${noteCount - notes.length} more`] : []),
];
