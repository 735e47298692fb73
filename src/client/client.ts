import {
  addressOf,
  call,
  callForEvents,
  callForFile,
  callForItems,
  callForLines,
  callWithEtag,
  callWithFile,
  type Connection,
  type Versioned,
} from './requests.ts';
import type {
  Arguments,
  Endpoint,
  EventEndpoint,
  ItemOf,
  LineEndpoint,
  ListEndpoint,
  ResponseOf,
} from './operations.ts';

export { ApiProblem, isProblemOf, Unreachable } from './errors.ts';
export type { Endpoint, ItemOf, ListEndpoint, ProblemOf, ResponseOf } from './operations.ts';

/** Where the server is, and how requests reach it. */
export type ClientOptions = Pick<Connection, 'baseUrl' | 'token' | 'fetch'>;

/** The operations of a server. Each throws ApiProblem or Unreachable, or the reason with which its `signal` was aborted. */
export interface Client {
  /** Returns the body of the response. */
  call<L extends Endpoint>(endpoint: L, ...input: Arguments<L>): Promise<ResponseOf<L>>;
  /** Returns the body with the entity tag of the version, for the `if-match` of an edit. */
  callWithEtag<L extends Endpoint>(endpoint: L, ...input: Arguments<L>): Promise<Versioned<ResponseOf<L>>>;
  /** Sends a file as the body. Its `type` is the media type. */
  upload<L extends Endpoint>(endpoint: L, file: Blob, ...input: Arguments<L>): Promise<ResponseOf<L>>;
  /** Returns the response in another media type, such as `text/csv`. */
  download<L extends Endpoint>(endpoint: L, mediaType: string, ...input: Arguments<L>): Promise<Blob>;
  /** Yields the items of a list, page after page. */
  items<L extends ListEndpoint>(endpoint: L, ...input: Arguments<L>): AsyncGenerator<ItemOf<L>>;
  /** Yields the lines of a stream of JSON; those that arrive together as one list. */
  lines<L extends LineEndpoint>(
    endpoint: L,
    ...input: Arguments<L>
  ): AsyncGenerator<readonly NonNullable<ResponseOf<L>>[]>;
  /** Yields the events of a stream until it ends. It doesn't reconnect. */
  events<L extends EventEndpoint>(
    endpoint: L,
    ...input: Arguments<L>
  ): AsyncGenerator<NonNullable<ResponseOf<L>>>;
  /** Returns the URL of an operation, such as for a link to a file. */
  addressOf<L extends Endpoint>(endpoint: L, ...input: Arguments<L>): string;
}

/** Returns a client of the server at `baseUrl`; without one, of the server of the page. */
export function createClient(options: ClientOptions = {}): Client {
  const connection: Connection = { ...options };
  return {
    call: (endpoint, ...input) => call(connection, endpoint, ...input),
    callWithEtag: (endpoint, ...input) => callWithEtag(connection, endpoint, ...input),
    upload: (endpoint, file, ...input) => callWithFile(connection, endpoint, file, ...input),
    download: (endpoint, mediaType, ...input) => callForFile(connection, endpoint, mediaType, ...input),
    items: (endpoint, ...input) => callForItems(connection, endpoint, ...input),
    lines: (endpoint, ...input) => callForLines(connection, endpoint, ...input),
    events: (endpoint, ...input) => callForEvents(connection, endpoint, ...input),
    addressOf: (endpoint, ...input) => addressOf(connection, endpoint, ...input),
  };
}
