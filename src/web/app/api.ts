import type { Problem } from '#contract/problem.ts';
import type { BodyOf, HeadersOf, ParamsOf, QueryOf, ReplyOf, Route } from '#contract/route.ts';
// Only types: the schemas behind them would be most of what the browser loads.
import type { Operation } from '#contract/routes.ts';
import { connection } from '../ui/connection/connection.ts';
import { randomId } from '../ui/browser/random-id.ts';

type EndpointOf<R> = R extends Route ? `${R['method']} ${R['path']}` : never;

/** An operation of the API as its documentation names it, such as `GET /api/dashboards/{dashboardId}`. */
export type Endpoint = EndpointOf<Operation>;
type OperationOf<L extends Endpoint, R = Operation> = R extends Route
  ? EndpointOf<R> extends L
    ? R
    : never
  : never;

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : object extends Value
    ? { readonly [Key in Name]?: Value }
    : { readonly [Key in Name]: Value };

/** Operations for wall displays have the token of the display instead of a session. */
type TokenPart<L extends Endpoint> = OperationOf<L>['access'] extends 'display'
  ? { readonly token: string }
  : unknown;

/** The input of an operation. */
export type InputOf<L extends Endpoint> = Part<'params', ParamsOf<OperationOf<L>>> &
  Part<'query', QueryOf<OperationOf<L>>> &
  Part<'headers', HeadersOf<OperationOf<L>>> &
  Part<'body', BodyOf<OperationOf<L>>> &
  TokenPart<L> & { readonly signal?: AbortSignal };

/** The response body of an operation that succeeds; undefined if it has none. */
export type ResponseOf<L extends Endpoint> = ReplyOf<OperationOf<L>>;

/** A create that accepts an idempotency key. */
type KeyedEndpoint = {
  [L in Endpoint]: 'idempotency-key' extends keyof HeadersOf<OperationOf<L>> ? L : never;
}[Endpoint];

type Arguments<L extends Endpoint> = object extends InputOf<L> ? [input?: InputOf<L>] : [input: InputOf<L>];

type ProblemDocument = Problem & Readonly<Record<string, unknown>>;

/** An error response. Besides the common members, `problem` has those of its code. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly problem: ProblemDocument;
  constructor(problem: ProblemDocument) {
    super(problem.detail);
    this.problem = problem;
  }
  get code(): string {
    return this.problem.code;
  }
}

/** No response arrived: the server or the network is down. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

const signOutListeners = new Set<() => void>();

/** Calls `listener` whenever the server reports that the session has ended. Returns a function that removes it. */
export function onSessionEnd(listener: () => void): () => void {
  signOutListeners.add(listener);
  return () => signOutListeners.delete(listener);
}

let askToConfirm: (() => Promise<boolean>) | undefined;
let confirmation: Promise<boolean> | undefined;

/**
 * Calls `ask` whenever the server requires a recent confirmation of identity, and repeats the request if `ask` resolves to
 * true. Returns a function that unsubscribes `ask`.
 */
export function onConfirmationRequired(ask: () => Promise<boolean>): () => void {
  askToConfirm = ask;
  return () => {
    askToConfirm = undefined;
  };
}

/** Asks once, even if several requests need a confirmation at the same time. */
async function confirmIdentity(): Promise<boolean> {
  try {
    confirmation ??= askToConfirm?.();
    return (await confirmation) ?? false;
  } finally {
    confirmation = undefined;
  }
}

/** Returns the body of the response. Throws ApiProblem or Unreachable, or the reason with which `signal` was aborted. */
export async function call<L extends Endpoint>(
  endpoint: L,
  ...[input]: Arguments<L>
): Promise<ResponseOf<L>> {
  return (await callWithEtag(endpoint, ...([input] as Arguments<L>))).body;
}

/** As `call`, with a file as the body. */
export async function callWithFile<L extends Endpoint>(
  endpoint: L,
  file: Blob,
  ...[input]: Arguments<L>
): Promise<ResponseOf<L>> {
  const response = await request(endpoint, { ...input, body: file });
  return (await response.json()) as ResponseOf<L>;
}

/** As `call`, with the entity tag of the record's version, and whether others' edits were merged into it. */
export async function callWithEtag<L extends Endpoint>(
  endpoint: L,
  ...[input]: Arguments<L>
): Promise<{ readonly body: ResponseOf<L>; readonly etag: string; readonly isMerged: boolean }> {
  const response = await request(endpoint, input);
  return {
    // Sound because the server validates what it sends by the same contract.
    body: (response.status === 204 ? undefined : await response.json()) as ResponseOf<L>,
    etag: response.headers.get('etag') ?? '',
    isMerged: response.headers.get('atrium-merged') === 'true',
  };
}

/** Yields the lines of a response that streams JSON. Lines that arrive together are yielded as one list. */
export async function* callForLines<L extends Endpoint>(
  endpoint: L,
  ...[input]: Arguments<L>
): AsyncGenerator<readonly NonNullable<ResponseOf<L>>[]> {
  const { body } = await request(endpoint, input);
  if (body === null) return;
  let rest = '';
  for await (const text of readTexts(body)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    const received = lines.filter((json) => json !== '');
    // Sound because the server validates what it sends by the same contract.
    if (received.length > 0) yield received.map((json) => JSON.parse(json) as NonNullable<ResponseOf<L>>);
  }
}

/** Returns the response in another media type, such as `text/csv`. */
export async function callForFile<L extends Endpoint>(
  endpoint: L,
  mediaType: string,
  ...[input]: Arguments<L>
): Promise<Blob> {
  const response = await request(endpoint, input, { accept: mediaType });
  return response.blob();
}

/** Returns the URL of an operation, for requests that the browser sends by itself, such as event sources and downloads. */
export function addressOf<L extends Endpoint>(endpoint: L, ...[input]: Arguments<L>): string {
  return resolveEndpoint(endpoint, input).address;
}

interface AnyInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly token?: string;
  readonly signal?: AbortSignal;
}

function resolveEndpoint(endpoint: string, input: unknown): { method: string; address: string } {
  const { params = {}, query = {} } = (input ?? {}) as AnyInput;
  const [method = '', template = ''] = endpoint.split(' ');
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of typeof value === 'string' ? [value] : (value ?? [])) search.append(name, each);
  }
  return { method, address: search.size === 0 ? path : `${path}?${search.toString()}` };
}

/** Every create that accepts an idempotency key; the compiler reports a missing one. */
const keyedEndpoints: Readonly<Record<KeyedEndpoint, true>> = {
  'POST /api/dashboards': true,
  'POST /api/dashboards/{dashboardId}/comments': true,
  'POST /api/dashboards/{dashboardId}/duplicate': true,
  'POST /api/organizations': true,
  'POST /api/organizations/{orgId}/data-sources': true,
  'POST /api/organizations/{orgId}/folders': true,
  'POST /api/reports': true,
};

/** The keys of creates that haven't succeeded yet. By its key, the server recognizes a repeated create that it has stored. */
const openKeys = new Map<string, string>();

/**
 * Sends a request. A create carries the same idempotency key until it succeeds, so that people who try again after the
 * connection broke get what their first attempt created.
 */
async function request(
  endpoint: string,
  input: unknown,
  more: Record<string, string> = {},
): Promise<Response> {
  if (!Object.hasOwn(keyedEndpoints, endpoint)) return send(endpoint, input, more);
  const { address } = resolveEndpoint(endpoint, input);
  const create = `${address} ${JSON.stringify((input as AnyInput | undefined)?.body)}`;
  const key = openKeys.get(create) ?? randomId();
  openKeys.set(create, key);
  const response = await send(endpoint, input, { ...more, 'idempotency-key': key });
  openKeys.delete(create);
  return response;
}

async function send(endpoint: string, input: unknown, more: Record<string, string>): Promise<Response> {
  const { headers = {}, body, token, signal } = (input ?? {}) as AnyInput;
  const { method, address } = resolveEndpoint(endpoint, input);
  const sent = new Headers(more);
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.set(name, value);
  if (token !== undefined) sent.set('authorization', `Bearer ${token}`);
  if (body !== undefined) sent.set('content-type', body instanceof Blob ? body.type : 'application/json');
  let response: Response;
  try {
    response = await fetch(address, {
      method,
      headers: sent,
      ...(token !== undefined && { credentials: 'omit' as const }),
      ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    signal?.throwIfAborted();
    // Displays ask for nothing but their dashboard, and try again by themselves.
    if (token === undefined) connection.reportLost();
    throw new Unreachable('The server can’t be reached.', { cause: error });
  }
  if (response.ok) {
    connection.reportBack();
    return response;
  }
  if (response.status >= 500 && token === undefined && !isProblem(response)) connection.reportLost();
  const problem = isProblem(response) ? ((await response.json()) as ProblemDocument) : proxyProblem(response);
  if (problem.code === 'confirmation_required' && (await confirmIdentity()))
    return request(endpoint, input, more);
  if (problem.code === 'unauthenticated') for (const listener of signOutListeners) listener();
  throw new ApiProblem(problem);
}

const isProblem = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('application/problem+json') === true;

/** Returns the problem for an error response without one, which a proxy in front of the server has sent. */
export function proxyProblem({ status, statusText }: Pick<Response, 'status' | 'statusText'>): Problem {
  const detail = `The server or a proxy in front of it responded with ${status} ${statusText}.`;
  return { type: 'about:blank', title: statusText, status, detail, code: 'unavailable', requestId: '' };
}

async function* readTexts(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    if (error instanceof TypeError) throw new Unreachable('The connection broke.', { cause: error });
    throw error;
  } finally {
    void reader.cancel().catch(() => {});
  }
}
