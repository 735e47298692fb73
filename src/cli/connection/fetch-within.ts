import type { Place } from '../command.ts';
import { CommandFailure } from '../failure.ts';

const maxRetries = 3;
const maxWaitSeconds = 60;

/**
 * Returns a `fetch` that only sends requests to an origin. A redirect is an error: anyone who can answer for the server once could
 * otherwise have the token, or the files of a person, sent elsewhere. If there were too many requests, it waits as long as the server
 * asks for, up to a minute, and tries again.
 */
export function fetchWithin(
  origin: string,
  { fetch, wait }: Pick<Place, 'fetch' | 'wait'>,
): typeof globalThis.fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== origin) throw new CommandFailure(`The request would leave ${origin}.`);
    for (let attempt = 0; ; attempt += 1) {
      const response = await fetch(url, { ...init, redirect: 'manual' });
      const waitSeconds = response.status === 429 ? Number(response.headers.get('retry-after') ?? NaN) : NaN;
      // A stream can be sent only once.
      const isRepeatable = !(init?.body instanceof ReadableStream) && attempt < maxRetries;
      if (isRepeatable && waitSeconds >= 0 && waitSeconds <= maxWaitSeconds) {
        await response.body?.cancel();
        await wait(waitSeconds * 1000);
        continue;
      }
      if (response.status < 300 || response.status >= 400 || response.status === 304) return response;
      await response.body?.cancel();
      const location = response.headers.get('location') ?? '';
      const target = URL.canParse(location, url) ? new URL(location, url).origin : 'elsewhere';
      throw new CommandFailure(
        `${origin} redirects to ${target}. Nothing was sent there. If that is the server, use it as the URL.`,
      );
    }
  };
}
