import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import {
  maxFileSize,
  ImportError,
  type ChosenSource,
  type Conversion,
  type SourceChoices,
} from '#shared/importers/conversion.ts';
import { detectForeign } from '#shared/importers/detect.ts';
import { convertMetabase, isMetabase } from '#shared/importers/metabase/convert.ts';
import { objectIn } from '#shared/dashboard-filters/definitions.ts';
import { findDataSourceName } from '../../data-sources/names.ts';
import type { Reader } from '../../storage/database.ts';
import { printable } from '../../../cli/usage/printable.ts';
import { UsageError } from '../../../cli/usage/usage.ts';
import { withoutStackTrace } from '../files.ts';
import { readDocumentLines, type DocumentDirectory } from './files.ts';

/** The documents of dashboards of another program, and what was lost. */
export interface ForeignDocuments extends DocumentDirectory {
  readonly conversion: Conversion;
}

/** Whether a path is a file or a collection of another program, and not the directory of an export. */
export function isForeign(path: string): boolean {
  if (withoutStackTrace(() => statSync(path)).isFile()) return true;
  return withoutStackTrace(() => readdirSync(path, { withFileTypes: true })).some(
    (entry) => entry.isDirectory() && entry.name === 'collections',
  );
}

/**
 * Returns the documents of a file of Grafana, or of the directory of an export of Metabase. `choices` has a line for each data
 * source, `NAME=ID`. Throws a `UsageError` if it isn't one, or if a data source has no choice or an unknown one.
 */
export async function readForeign(
  path: string,
  reader: Reader,
  { organizationId, choices }: { readonly organizationId: string; readonly choices: string | undefined },
): Promise<ForeignDocuments> {
  const chosen = await findChosen(reader, organizationId, choices);
  try {
    const conversion = convert(path, chosen);
    const known = new Set(conversion.sources.map(({ name }) => name));
    const unknown = [...chosen.keys()].filter((name) => !known.has(name));
    const missing = conversion.sources.filter(({ name }) => !chosen.has(name));
    if (unknown.length > 0)
      throw new UsageError(`There is no data source ${unknown.map(printable).join(', ')}.`);
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

function convert(path: string, chosen: SourceChoices): Conversion {
  const stats = withoutStackTrace(() => statSync(path));
  if (stats.isDirectory()) return convertMetabase(readCollection(path), chosen);
  if (stats.size > maxFileSize) throw new UsageError('The file is larger than 4 MiB.');
  const conversion = detectForeign(withoutStackTrace(() => readFileSync(path, 'utf8')))?.convert(chosen);
  if (conversion === undefined) throw new UsageError(`${path} is not a dashboard of Grafana.`);
  return conversion;
}

const maxFiles = 10_000;
const maxCollectionSize = 32 * 1024 * 1024;

/** Returns the YAML files in the `collections` of an export of Metabase. Links aren't followed. */
function readCollection(directory: string): Readonly<Record<string, unknown>>[] {
  const entries = withoutStackTrace(() =>
    readdirSync(join(directory, 'collections'), { withFileTypes: true, recursive: true }),
  ).filter((entry) => entry.isFile() && /[.]ya?ml$/.test(entry.name));
  if (entries.length > maxFiles) throw new UsageError(`The export has more than ${maxFiles} files.`);
  let size = 0;
  return entries
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .flatMap((path) => {
      size += withoutStackTrace(() => statSync(path)).size;
      if (size > maxCollectionSize) throw new UsageError('The export is larger than 32 MiB.');
      const value = objectIn(parseYaml(path));
      return value !== undefined && isMetabase(value) ? [value] : [];
    });
}

function parseYaml(path: string): unknown {
  const text = withoutStackTrace(() => readFileSync(path, 'utf8'));
  try {
    const document = parseDocument(text);
    if (document.errors.length === 0) return document.toJS({ maxAliasCount: 100 });
  } catch {
    // Nested too deeply, or with too many aliases.
  }
  throw new UsageError(`${path} is not valid YAML.`);
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
