import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parameterValue, type ParameterType } from '#shared/parameter-values.ts';
import type { Run } from '../command.ts';
import { connect, getOrganizationId, type Server } from '../connection/connect.ts';
import { CommandFailure } from '../failure.ts';
import { UsageError, type Arguments } from '../usage/usage.ts';
import { writeBody } from './api.ts';

const formats: Readonly<Record<string, { readonly accept: string; readonly query?: string }>> = {
  csv: { accept: 'text/csv' },
  spreadsheet: { accept: 'text/csv', query: '?csv=spreadsheet' },
  json: { accept: 'application/json' },
  parquet: { accept: 'application/vnd.apache.parquet' },
};

/** `atrium report run REPORT`: the rows of a report, streamed to a file or to standard output. */
export const runReport: Run = async (place, values) => {
  const name = values['json'] === undefined ? (values['format'] ?? 'csv') : 'json';
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (format === undefined)
    throw new UsageError(`--format must be one of ${Object.keys(formats).join(', ')}.`);
  const { output } = values;
  if (name === 'parquet' && output === undefined && place.isTerminal)
    throw new UsageError('Parquet is not for a terminal: name a file with --output.');
  const server = await connect(place);
  const report = await getReport(server, values);
  const response = await server.send(`/api/reports/${report.id}/run${format.query ?? ''}`, {
    method: 'POST',
    headers: { accept: format.accept, 'content-type': 'application/json' },
    body: JSON.stringify({ parameters: readParameters(report.parameters, values['parameter']) }),
  });
  if (output === undefined) {
    if (values['json'] !== undefined) return { text: '', data: (await response.json()) as object };
    await writeBody(place, response);
    return { text: '', data: {} };
  }
  await writeFile(output, response);
  return { text: `written: ${output}`, data: { output } };
};

/** Writes the body of a response to a file, which never has only a part of it. */
async function writeFile(path: string, { body }: Response): Promise<void> {
  const unfinished = `${path}.${process.pid}.new`;
  try {
    await pipeline(body === null ? Readable.from([]) : body, createWriteStream(unfinished, { flags: 'wx' }));
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function getReport({ client, ...server }: Server, values: Arguments) {
  const wanted = values['report'] ?? '';
  const organizationId = await getOrganizationId({ client, ...server }, values);
  const found: string[] = [];
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(wanted)) found.push(wanted);
  else
    for await (const { id, name } of client.items('GET /api/reports', {
      query: { organizationId, q: wanted.slice(0, 200) },
    }))
      if (name === wanted) found.push(id);
  const [reportId] = found;
  if (reportId === undefined) throw new CommandFailure(`There is no report ${wanted}.`);
  if (found.length > 1)
    throw new CommandFailure(`Several reports have this name. Use one of these IDs: ${found.join(', ')}.`);
  return client.call('GET /api/reports/{reportId}', { params: { reportId } });
}

function readParameters(
  defined: readonly { readonly name: string; readonly type: ParameterType }[],
  lines: string | undefined,
): object {
  const given = new Map<string, string[]>();
  for (const line of lines === undefined ? [] : lines.split('\n')) {
    const end = line.indexOf('=');
    if (end < 1) throw new UsageError('--parameter must have the form NAME=VALUE.');
    const name = line.slice(0, end);
    given.set(name, [...(given.get(name) ?? []), line.slice(end + 1)]);
  }
  const types = new Map(defined.map(({ name, type }) => [name, type]));
  return Object.fromEntries(
    Array.from(given, ([name, texts]) => {
      const type = types.get(name);
      if (type === undefined)
        throw new UsageError(
          `The report has no parameter ${name}. ${types.size === 0 ? 'It has none.' : `It has: ${[...types.keys()].join(', ')}.`}`,
        );
      return [name, parameterValue(type, texts)];
    }),
  );
}
