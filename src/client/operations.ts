import type { Problem, ProblemCode } from '#contract/problem.ts';
import type { BodyOf, HeadersOf, ParamsOf, QueryOf, ReplyOf, Route } from '#contract/route.ts';
// Only types: the schemas behind them would be most of what the browser loads.
import type { Operation } from '#contract/routes.ts';
import type { Static, TSchema } from 'typebox';

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
export type KeyedEndpoint = {
  [L in Endpoint]: 'idempotency-key' extends keyof HeadersOf<OperationOf<L>> ? L : never;
}[Endpoint];

export type Arguments<L extends Endpoint> =
  object extends InputOf<L> ? [input?: InputOf<L>] : [input: InputOf<L>];

/** An operation whose responses are pages of a list. */
export type ListEndpoint = {
  [L in Endpoint]: ResponseOf<L> extends { readonly items: readonly unknown[]; readonly nextCursor?: string }
    ? 'cursor' extends keyof NonNullable<QueryOf<OperationOf<L>>>
      ? L
      : never
    : never;
}[Endpoint];
export type ItemOf<L extends ListEndpoint> =
  ResponseOf<L> extends { readonly items: readonly (infer Item)[] } ? Item : never;

/** An operation that streams JSON texts, one per line. */
export type LineEndpoint = StreamEndpoint<'application/x-ndjson'>;
/** An operation that streams server-sent events. */
export type EventEndpoint = StreamEndpoint<'text/event-stream'>;
type StreamEndpoint<MediaType> = {
  [L in Endpoint]: OperationOf<L> extends { readonly mediaType: MediaType } ? L : never;
}[Endpoint];

type MembersOf<R, Code> = R extends { readonly problemReplies: infer Replies }
  ? Code extends keyof Replies
    ? Replies[Code] extends TSchema
      ? Static<Replies[Code]>
      : unknown
    : unknown
  : unknown;

/** The problems of an operation, as a union by `code`. A code that others don't have brings its own members. */
export type ProblemOf<L extends Endpoint> = {
  [Code in ProblemCode]: Omit<Problem, 'code'> & { readonly code: Code } & MembersOf<OperationOf<L>, Code>;
}[ProblemCode];
