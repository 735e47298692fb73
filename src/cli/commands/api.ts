import { readFile } from 'node:fs/promises';
import type { Place, Report, Run } from '../command.ts';
import { connect, type Server } from '../connection/connect.ts';
import { CommandFailure } from '../failure.ts';
import { printableLines } from '../usage/printable.ts';
import { UsageError, type Arguments } from '../usage/usage.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** `atrium api METHOD PATH`: the API for scripts, with the token and the checks of all commands. */
export const api: Run = async (place, values) => {
  const method = (values['method'] ?? '').toUpperCase();
  if (!methods.includes(method)) throw new UsageError(`METHOD must be one of ${methods.join(', ')}.`);
  const fields = readFields(values);
  const path = pathOf(values['path'] ?? '', method === 'GET' ? fields : []);
  const body = await readBody(place, values, method === 'GET' ? [] : fields);
  const server = await connect(place);
  if (values['pages'] !== undefined) {
    if (method !== 'GET') throw new UsageError('--pages is only for GET.');
    const items = await readPages(server, path);
    return printed({ items });
  }
  const headers = {
    ...(body !== undefined && { 'content-type': values['content-type'] ?? 'application/json' }),
    ...(values['accept'] !== undefined && { accept: values['accept'] }),
    ...(values['if-match'] !== undefined && { 'if-match': values['if-match'] }),
  };
  const response = await server.send(path, { method, headers, ...(body !== undefined && { body }) });
  if (values['include'] !== undefined) {
    const head = headOf(response);
    await place.write(place.isTerminal ? printableLines(head) : head);
  }
  await writeBody(place, response);
  return { text: '', data: {} };
};

const printed = (data: object): Report => ({ text: JSON.stringify(data), data });

const headOf = ({ status, headers }: Response): string =>
  `${[`HTTP ${status}`, ...Array.from(headers, ([name, value]) => `${name}: ${value}`)].join('\n')}\n\n`;

/** Writes the body of a response as it arrives; for a terminal, without the characters that control it. */
export async function writeBody({ write, isTerminal }: Place, { body }: Response): Promise<void> {
  if (body === null) return;
  const decoder = new TextDecoder();
  for await (const bytes of body as ReadableStream<Uint8Array>)
    await write(isTerminal ? printableLines(decoder.decode(bytes, { stream: true })) : bytes);
  if (isTerminal) await write('\n');
}

/** Returns the path and query of a URL of the API. Throws a `UsageError` if it leads anywhere else. */
function pathOf(text: string, fields: readonly (readonly [string, unknown])[]): string {
  const base = 'http://server.invalid';
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
  if (url?.origin !== base || !text.startsWith('/') || !url.pathname.startsWith('/api/'))
    throw new UsageError('PATH must be a path of the API, such as /api/dashboards.');
  for (const [name, value] of fields)
    url.searchParams.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  return url.pathname + url.search;
}

function readFields(values: Arguments): [name: string, value: unknown][] {
  return [...splitFields('field', values['field']), ...splitFields('json-field', values['json-field'])].map(
    ([option, name, text]) => [name, option === 'field' ? text : parseField(name, text)],
  );
}

const splitFields = (option: string, lines: string | undefined): [string, string, string][] =>
  (lines === undefined ? [] : lines.split('\n')).map((line) => {
    const end = line.indexOf('=');
    if (end < 1) throw new UsageError(`--${option} must have the form NAME=VALUE.`);
    return [option, line.slice(0, end), line.slice(end + 1)];
  });

function parseField(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`The value of --json-field ${name} is not JSON.`);
  }
}

async function readBody(
  place: Place,
  values: Arguments,
  fields: readonly (readonly [string, unknown])[],
): Promise<string | Uint8Array<ArrayBuffer> | undefined> {
  const { input } = values;
  if (input !== undefined && fields.length > 0)
    throw new UsageError('Use either --input or fields for the body.');
  if (input !== undefined)
    return new Uint8Array(input === '-' ? await place.readInput() : await readFile(input));
  return fields.length === 0 ? undefined : JSON.stringify(Object.fromEntries(fields));
}

async function readPages(server: Server, path: string): Promise<unknown[]> {
  const items: unknown[] = [];
  const seen = new Set<string>();
  for (let next = path; ;) {
    const page = (await (await server.send(next, { method: 'GET' })).json()) as {
      readonly items?: unknown;
      readonly nextCursor?: string;
    };
    if (!Array.isArray(page.items)) throw new UsageError('--pages is only for lists.');
    items.push(...(page.items as unknown[]));
    if (page.nextCursor === undefined) return items;
    if (seen.has(page.nextCursor)) throw new CommandFailure('The list returned the same page twice.');
    seen.add(page.nextCursor);
    const url = new URL(path, server.origin);
    url.searchParams.set('cursor', page.nextCursor);
    next = url.pathname + url.search;
  }
}
