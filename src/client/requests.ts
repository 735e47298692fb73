import { ApiProblem, proxyProblem, Unreachable, type ProblemDocument } from './errors.ts';
import type {
  Arguments,
  Endpoint,
  EventEndpoint,
  ItemOf,
  KeyedEndpoint,
  LineEndpoint,
  ListEndpoint,
  ResponseOf,
} from './operations.ts';
import { randomId } from './random-id.ts';
import { readEvents, readLines } from './streams.ts';

/** How requests reach the server. */
export interface Connection {
  /** The origin of the server, such as `https://atrium.example.com`. Default: the origin of the page. */
  readonly baseUrl?: string;
  /** Sent as `Authorization: Bearer`, without cookies. Default: the cookie of the page. */
  readonly token?: string;
  /** Default: the `fetch` of the browser or of Node. */
  readonly fetch?: typeof fetch;
  /** Called with each response, and with undefined if none arrived. */
  readonly onResponse?: (response: Response | undefined, isDisplay: boolean) => void;
  /** Called with each problem. The request is sent again if it returns true. */
  readonly onProblem?: (problem: ProblemDocument) => Promise<boolean>;
}

/** The body of a response with what its headers say about the version. */
export interface Versioned<Body> {
  readonly body: Body;
  /** The entity tag of the version, for the `if-match` of an edit; empty if the record has none. */
  readonly etag: string;
  /** Whether others' edits were merged into it. */
  readonly isMerged: boolean;
}

/** Returns the body of the response. Throws ApiProblem or Unreachable, or the reason with which `signal` was aborted. */
export async function call<L extends Endpoint>(
  connection: Connection,
  endpoint: L,
  ...[input]: Arguments<L>
): Promise<ResponseOf<L>> {
  return (await callWithEtag(connection, endpoint, ...([input] as Arguments<L>))).body;
}

/** As `call`, with the entity tag of the record's version, and whether others' edits were merged into it. */
export async function callWithEtag<L extends Endpoint>(
  connection: Connection,
  endpoint: L,
  ...[input]: Arguments<L>
): Promise<Versioned<ResponseOf<L>>> {
  const response = await request(connection, endpoint, input);
  return {
    // Sound because the server validates what it sends by the same contract.
    body: (response.status === 204 ? undefined : await response.json()) as ResponseOf<L>,
    etag: response.headers.get('etag') ?? '',
    isMerged: response.headers.get('atrium-merged') === 'true',
  };
}

/** As `call`, with a file as the body. Its `type` is the media type. */
export async function callWithFile<L extends Endpoint>(
  connection: Connection,
  endpoint: L,
  file: Blob,
  ...[input]: Arguments<L>
): Promise<ResponseOf<L>> {
  const response = await request(connection, endpoint, { ...input, body: file });
  // Sound because the server validates what it sends by the same contract.
  return (response.status === 204 ? undefined : await response.json()) as ResponseOf<L>;
}

/** Yields the lines of a response that streams JSON. Lines that arrive together are yielded as one list. */
export async function* callForLines<L extends LineEndpoint>(
  connection: Connection,
  endpoint: L,
  ...[input]: Arguments<L>
): AsyncGenerator<readonly NonNullable<ResponseOf<L>>[]> {
  const { body } = await request(connection, endpoint, input, { accept: 'application/x-ndjson' });
  for await (const lines of readLines(body)) {
    const texts = lines.filter((line) => line !== '');
    // Sound because the server validates what it sends by the same contract.
    if (texts.length > 0) yield texts.map((json) => JSON.parse(json) as NonNullable<ResponseOf<L>>);
  }
}

/** Yields the events of a stream until it ends. Unlike an `EventSource`, it doesn't reconnect. */
export async function* callForEvents<L extends EventEndpoint>(
  connection: Connection,
  endpoint: L,
  ...[input]: Arguments<L>
): AsyncGenerator<NonNullable<ResponseOf<L>>> {
  const { body } = await request(connection, endpoint, input, { accept: 'text/event-stream' });
  // Sound because the server validates what it sends by the same contract.
  yield* readEvents(body) as AsyncGenerator<NonNullable<ResponseOf<L>>>;
}

/** Yields the items of a list, page after page. */
export async function* callForItems<L extends ListEndpoint>(
  connection: Connection,
  endpoint: L,
  ...[input]: Arguments<L>
): AsyncGenerator<ItemOf<L>> {
  let query = (input as AnyInput | undefined)?.query;
  for (;;) {
    const response = await request(connection, endpoint, { ...input, query });
    // Sound because every list has this form.
    const page = (await response.json()) as { items: ItemOf<L>[]; nextCursor?: string };
    yield* page.items;
    if (page.nextCursor === undefined) return;
    query = { ...query, cursor: page.nextCursor };
  }
}

/** Returns the response in another media type, such as `text/csv`. */
export async function callForFile<L extends Endpoint>(
  connection: Connection,
  endpoint: L,
  mediaType: string,
  ...[input]: Arguments<L>
): Promise<Blob> {
  const response = await request(connection, endpoint, input, { accept: mediaType });
  return response.blob();
}

/** Returns the URL of an operation, for requests that the browser sends by itself, such as event sources and downloads. */
export function addressOf<L extends Endpoint>(
  connection: Connection,
  endpoint: L,
  ...[input]: Arguments<L>
): string {
  return resolveEndpoint(connection, endpoint, input).address;
}

interface AnyInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly token?: string;
  readonly signal?: AbortSignal;
}

function resolveEndpoint({ baseUrl = '' }: Connection, endpoint: string, input: unknown) {
  const { params = {}, query = {} } = (input ?? {}) as AnyInput;
  const [method = '', template = ''] = endpoint.split(' ');
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of typeof value === 'string' ? [value] : (value ?? [])) search.append(name, each);
  }
  const address = baseUrl.replace(/\/$/, '') + path;
  return { method, address: search.size === 0 ? address : `${address}?${search.toString()}` };
}

/** The keys of creates that haven't succeeded yet. By its key, the server recognizes a repeated create that it has stored. */
const openKeys = new WeakMap<Connection, Map<string, string>>();

/** Every create that accepts an idempotency key; the compiler reports a missing one. */
const keyedEndpoints: Readonly<Record<KeyedEndpoint, true>> = {
  'POST /api/dashboards': true,
  'POST /api/dashboards/{dashboardId}/comments': true,
  'POST /api/dashboards/{dashboardId}/duplicate': true,
  'POST /api/folders/{folderId}/dashboards': true,
  'POST /api/folders/{folderId}/reports': true,
  'POST /api/organizations': true,
  'POST /api/organizations/{orgId}/data-sources': true,
  'POST /api/organizations/{orgId}/folders': true,
  'POST /api/organizations/{orgId}/service-accounts': true,
  'POST /api/organizations/{orgId}/webhooks': true,
  'POST /api/organizations/{orgId}/proposals': true,
  'POST /api/sso/orgs/{orgId}/connections': true,
  'POST /api/reports': true,
};

/**
 * Sends a request. A create carries the same idempotency key until it succeeds, so that people who try again after the
 * connection broke get what their first attempt created.
 */
async function request(
  connection: Connection,
  endpoint: string,
  input: unknown,
  more: Record<string, string> = {},
): Promise<Response> {
  if (!Object.hasOwn(keyedEndpoints, endpoint)) return send(connection, endpoint, input, more);
  const keys = openKeys.get(connection) ?? new Map<string, string>();
  openKeys.set(connection, keys);
  const { address } = resolveEndpoint(connection, endpoint, input);
  const create = `${address} ${JSON.stringify((input as AnyInput | undefined)?.body)}`;
  const key = keys.get(create) ?? randomId();
  keys.set(create, key);
  try {
    const response = await send(connection, endpoint, input, { 'idempotency-key': key, ...more });
    keys.delete(create);
    return response;
  } catch (error) {
    // What was created has a secret, which is not returned again: from now on, the same body is another create.
    if (error instanceof ApiProblem && error.code === 'idempotency_key_reused') keys.delete(create);
    throw error;
  }
}

async function send(
  connection: Connection,
  endpoint: string,
  input: unknown,
  more: Record<string, string>,
): Promise<Response> {
  const { headers = {}, body, token, signal } = (input ?? {}) as AnyInput;
  const { method, address } = resolveEndpoint(connection, endpoint, input);
  const credential = token ?? connection.token;
  const sent = new Headers(more);
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.set(name, value);
  if (credential !== undefined) sent.set('authorization', `Bearer ${credential}`);
  if (body !== undefined) sent.set('content-type', body instanceof Blob ? body.type : 'application/json');
  let response: Response;
  try {
    response = await (connection.fetch ?? fetch)(address, {
      method,
      headers: sent,
      ...(credential !== undefined && { credentials: 'omit' as const }),
      ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    signal?.throwIfAborted();
    connection.onResponse?.(undefined, token !== undefined);
    throw new Unreachable('The server can’t be reached.', { cause: error });
  }
  connection.onResponse?.(response, token !== undefined);
  if (response.ok) return response;
  const problem = isProblem(response) ? ((await response.json()) as ProblemDocument) : proxyProblem(response);
  if (await connection.onProblem?.(problem)) return request(connection, endpoint, input, more);
  throw new ApiProblem(problem, retryAfterSeconds(response));
}

/** Returns the seconds of `Retry-After`, or undefined: Atrium never sends a date. */
function retryAfterSeconds({ headers }: Response): number | undefined {
  const text = headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

/** Returns whether the body of an error response is a problem document, as all of Atrium's are. */
export const isProblem = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('application/problem+json') === true;
