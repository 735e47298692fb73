import { readdirSync, statSync } from 'node:fs';
import type { Conversion } from '#shared/importers/conversion.ts';
import { convertForeign } from '../../../cli/foreign/convert.ts';
import { findDataSourceName } from '../../data-sources/names.ts';
import type { Reader } from '../../storage/database.ts';
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
 * Returns the documents of a dashboard of Grafana, or of an export of Metabase. `choices` has a line for each data source,
 * `NAME=ID`. Throws a `UsageError` if it isn't one, or if a data source has no choice or an unknown one.
 */
export async function readForeign(
  path: string,
  reader: Reader,
  { organizationId, choices }: { readonly organizationId: string; readonly choices: string | undefined },
): Promise<ForeignDocuments> {
  const conversion = await convertForeign(path, choices, (id) =>
    findDataSourceName(reader, organizationId, id),
  );
  const lines = conversion.documents.map((document) => JSON.stringify(document)).join('\n');
  return { ...readDocumentLines(Buffer.from(lines)), conversion };
}
