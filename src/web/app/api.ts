import * as requests from '../../client/requests.ts';
import type { Arguments, Endpoint, LineEndpoint, ResponseOf } from '../../client/operations.ts';
import { ApiProblem } from '../../client/errors.ts';
import { connection } from '../ui/connection/connection.ts';

export { ApiProblem, proxyProblem, Unreachable } from '../../client/errors.ts';
export type { Endpoint, ResponseOf } from '../../client/operations.ts';

/** Whether the server has responded that something doesn't exist, or that you can't see it. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiProblem && error.code === 'not_found';

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

/** The server of the page, with the cookie of its session. */
const server: requests.Connection = {
  onResponse: (response, isDisplay) => {
    if (response?.ok === true) connection.reportBack();
    // Displays ask for nothing but their dashboard, and try again by themselves.
    else if (
      !isDisplay &&
      (response === undefined || (response.status >= 500 && !requests.isProblem(response)))
    )
      connection.reportLost();
  },
  onProblem: async ({ code }) => {
    if (code === 'confirmation_required' && (await confirmIdentity())) return true;
    if (code === 'unauthenticated') for (const listener of signOutListeners) listener();
    return false;
  },
};

/** Returns the body of the response. Throws ApiProblem or Unreachable, or the reason with which `signal` was aborted. */
export const call = <L extends Endpoint>(endpoint: L, ...input: Arguments<L>): Promise<ResponseOf<L>> =>
  requests.call(server, endpoint, ...input);

/** As `call`, with a file as the body. */
export const callWithFile = <L extends Endpoint>(
  endpoint: L,
  file: Blob,
  ...input: Arguments<L>
): Promise<ResponseOf<L>> => requests.callWithFile(server, endpoint, file, ...input);

/** As `call`, with the entity tag of the record's version, and whether others' edits were merged into it. */
export const callWithEtag = <L extends Endpoint>(
  endpoint: L,
  ...input: Arguments<L>
): Promise<requests.Versioned<ResponseOf<L>>> => requests.callWithEtag(server, endpoint, ...input);

/** Yields the lines of a response that streams JSON. Lines that arrive together are yielded as one list. */
export const callForLines = <L extends LineEndpoint>(
  endpoint: L,
  ...input: Arguments<L>
): AsyncGenerator<readonly NonNullable<ResponseOf<L>>[]> => requests.callForLines(server, endpoint, ...input);

/** Returns the response in another media type, such as `text/csv`. */
export const callForFile = <L extends Endpoint>(
  endpoint: L,
  mediaType: string,
  ...input: Arguments<L>
): Promise<Blob> => requests.callForFile(server, endpoint, mediaType, ...input);

/** Returns the URL of an operation, for requests that the browser sends by itself, such as event sources and downloads. */
export const addressOf = <L extends Endpoint>(endpoint: L, ...input: Arguments<L>): string =>
  requests.addressOf(server, endpoint, ...input);
