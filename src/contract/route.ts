import type { Static, TObject, TSchema } from 'typebox';
import type { ProblemCode } from './problem.ts';

/** One operation of the API: all that a client has to know, and all that the server validates by. */
export interface Route {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for each path parameter, as in OpenAPI. */
  readonly path: `/api/${string}`;
  /** `session`: only with a valid session cookie; without one every request is a 401. */
  readonly access: 'session' | 'public';
  readonly params?: TObject;
  readonly query?: TObject;
  /** The request headers it looks at, by their names in lower case. */
  readonly headers?: TObject;
  readonly body?: TSchema;
  /**
   * The media types of a body that is a file, handed on as it comes in instead of being read and validated; in the
   * place of `body`.
   */
  readonly upload?: readonly string[];
  /** How large the body may be; left out, as large as any: 1 MiB with a session, 64 KiB without. */
  readonly maxBodyBytes?: number;
  /** How long an answer may take once the request is read; left out, half a minute. */
  readonly maxAnswerMs?: number;
  readonly status: 200 | 201 | 204 | 302;
  /** What a success carries, or one line or event of it where there is a `mediaType`; absent with 204 and 302. */
  readonly reply?: TSchema;
  /** The media type of a success that is a stream of JSON, a text a line, or an event's data. */
  readonly mediaType?: 'application/x-ndjson' | 'text/event-stream';
  /** Other media types of a success, all of them streams, which the handler chooses by the header `Accept`. */
  readonly alternatives?: readonly string[];
  /** What a success says in headers, each in words. */
  readonly replyHeaders?: Readonly<Record<string, string>>;
  /** The problems that are particular to this operation; those any route can have are left out. */
  readonly problems?: readonly ProblemCode[];
  /** Of those, the ones whose document has members of its own. */
  readonly problemReplies?: Readonly<Partial<Record<ProblemCode, TSchema>>>;
}

type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : undefined;
export type ParamsOf<R extends Route> = StaticOf<R['params']>;
export type QueryOf<R extends Route> = StaticOf<R['query']>;
export type HeadersOf<R extends Route> = StaticOf<R['headers']>;
export type BodyOf<R extends Route> = StaticOf<R['body']>;
export type ReplyOf<R extends Route> = StaticOf<R['reply']>;

/** Returns `route` as it is, with its exact type kept. */
export const defineRoute = <const R extends Route>(route: R): R => route;
