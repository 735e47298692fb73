import type { Static, TObject, TSchema } from 'typebox';
import type { ProblemCode } from './problem.ts';
import type { Tag } from './tags.ts';

/** One operation of the API: everything that clients need to know and the server validates. */
export interface Route {
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for each path parameter, as in OpenAPI. */
  readonly path: `/api/${string}`;
  /**
   * `session` requires a valid session cookie; requests without one get a 401. `display` requires the token of a wall display, which
   * no other operation accepts.
   */
  readonly access: 'session' | 'display' | 'public';
  readonly params?: TObject;
  readonly query?: TObject;
  /** The request headers that the operation reads, by their lowercase names. */
  readonly headers?: TObject;
  readonly body?: TSchema;
  /**
   * Why unknown members of the body and unknown query parameters are ignored. Every other operation refuses them by name: a setting
   * with a misspelled name would otherwise be dropped in silence.
   */
  readonly ignoresUnknown?: string;
  /**
   * The member of the body whose items can also be sent as NDJSON, one per line, instead of the body; the other members are
   * optional.
   */
  readonly lines?: string;
  /**
   * The media types of a body that is a file, which the handler gets as a stream instead of a validated `body`.
   */
  readonly upload?: readonly string[];
  /** The maximum size of the body. Default: 1 MiB with a session, 64 KiB without. */
  readonly maxBodyBytes?: number;
  /** How long the response may take once the request is read. Default: 30 seconds. */
  readonly maxResponseMs?: number;
  readonly status: 200 | 201 | 204 | 302;
  /** With 201, the URL of what was created, as the `Location` header; `{id}` is the `id` of the reply. */
  readonly location?: `/api/${string}/{id}`;
  /** The body of a success, or one of its lines or events if there is a `mediaType`; absent with 204, 302 and for files. */
  readonly reply?: TSchema;
  /** The media type of a success that is a stream: one JSON text per line, or per event. */
  readonly mediaType?: 'application/x-ndjson' | 'text/event-stream';
  /** A GET that does more than reading, for example sends mails. HEAD is refused. */
  readonly hasEffects?: true;
  /** Other media types of a success, all of them files; the handler chooses by the `Accept` header. */
  readonly alternatives?: readonly string[];
  /** The headers of a success, each with its description. */
  readonly replyHeaders?: Readonly<Record<string, string>>;
  /** The problems specific to this operation, without those that every route can have. */
  readonly problems?: readonly ProblemCode[];
  /** The schemas of the problems whose document has additional properties. */
  readonly problemReplies?: Readonly<Partial<Record<ProblemCode, TSchema>>>;
}

type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : undefined;
export type ParamsOf<R extends Route> = StaticOf<R['params']>;
export type QueryOf<R extends Route> = StaticOf<R['query']>;
export type HeadersOf<R extends Route> = StaticOf<R['headers']>;
export type BodyOf<R extends Route> = StaticOf<R['body']>;
export type ReplyOf<R extends Route> = StaticOf<R['reply']>;

/** Returns `route` unchanged, with its exact type. */
export const defineRoute = <const R extends Route>(route: R): R => route;
