import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { Readable } from 'node:stream';
import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import type { Run } from '../command.ts';
import { connect, getOrganizationId, type Server } from '../connection/connect.ts';
import { CommandFailure } from '../failure.ts';
import { required, UsageError } from '../usage/usage.ts';

const mediaTypes: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.tsv': 'text/tab-separated-values',
  '.json': 'application/json',
  '.ndjson': 'application/x-ndjson',
  '.parquet': 'application/vnd.apache.parquet',
};

/** `atrium upload FILE`: a file as a table of a data source. The file is read while it is sent. */
export const upload: Run = async (place, values) => {
  const file = values['file'] ?? '';
  const ending = extname(file).toLowerCase();
  const type = Object.hasOwn(mediaTypes, ending) ? mediaTypes[ending] : undefined;
  if (type === undefined)
    throw new UsageError(`The name of FILE must end in one of ${Object.keys(mediaTypes).join(', ')}.`);
  const table = values['table'] ?? tableNameOf(basename(file, extname(file)));
  await access(file);
  const server = await connect(place);
  const organizationId = await getOrganizationId(server, values);
  const dataSourceId = await getSourceId(server, organizationId, required(values, 'source'));
  const response = await server.send(
    `/api/data-sources/${dataSourceId}/tables/${encodeURIComponent(table)}`,
    {
      method: 'PUT',
      headers: { 'content-type': type },
      body: Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>,
      duplex: 'half',
    },
  );
  // Sound because the server validates what it sends by the same contract.
  const stored = (await response.json()) as SourceTable;
  const rows = stored.rowCount === undefined ? '' : `, ${stored.rowCount} rows`;
  return { text: `uploaded: ${stored.name} (${stored.columns.length} columns${rows})`, data: stored };
};

/** Returns the name of a table for that of a file, in the characters that tables can have. */
const tableNameOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, 63) || 'table';

async function getSourceId({ client }: Server, orgId: string, wanted: string): Promise<string> {
  const found = [];
  for await (const source of client.items('GET /api/organizations/{orgId}/data-sources', {
    params: { orgId },
  }))
    if (source.id === wanted || source.name === wanted) found.push(source);
  const files = found.filter(({ kind }) => kind === 'files');
  const [source] = files;
  if (source !== undefined && files.length === 1) return source.id;
  if (files.length > 1)
    throw new CommandFailure(
      `Several data sources have this name. Use one of these IDs: ${files.map(({ id }) => id).join(', ')}.`,
    );
  throw new CommandFailure(
    found.length > 0
      ? `${wanted} is a database, which has no uploaded tables.`
      : `There is no data source ${wanted}.`,
  );
}
