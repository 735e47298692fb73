import type { Clock } from '../../../base/clock.ts';

/** A provider's response to a request for its keys. */
export interface KeyResponse {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** One fetch of keys, pending or complete. */
export interface KeyFetch {
  readonly response: Promise<KeyResponse>;
  readonly expiresAt: number;
}

export interface ProviderKeys {
  /** Returns the cached keys, or fetches them. */
  get(): KeyFetch;
  /**
   * Returns keys that were fetched after `known`, for a token that those do not match. Undefined if keys were fetched
   * for that reason within the last 10 s, so that forged tokens do not cause many requests.
   */
  findNewer(known: KeyFetch): KeyFetch | undefined;
  /** Whether there are none because a fetch failed within the last 10 s: then requests that anyone can send cause no other. */
  areFailing(): boolean;
}

/** How long keys are cached, and so how long a revoked key is still accepted. */
const lifetimeMs = 300_000;
const minRenewalIntervalMs = 10_000;

/** Returns the keys of one provider, which `fetchKeys` requests once for simultaneous sign-ins. */
export function createProviderKeys(fetchKeys: () => Promise<Response>, clock: Clock): ProviderKeys {
  let known: KeyFetch | undefined;
  let renewableAt = 0;
  let failedAt = -Infinity;

  function startFetch(): KeyFetch {
    const fresh: KeyFetch = { response: readResponse(fetchKeys), expiresAt: clock() + lifetimeMs };
    const forget = () => {
      failedAt = clock();
      if (known === fresh) known = undefined;
    };
    fresh.response.then(({ status }) => {
      if (status !== 200) forget();
    }, forget);
    known = fresh;
    return fresh;
  }

  const get = () => (known !== undefined && known.expiresAt > clock() ? known : startFetch());
  return {
    get,
    areFailing: () => known === undefined && clock() < failedAt + minRenewalIntervalMs,
    findNewer: (failed) => {
      if (known !== failed) return get();
      if (clock() < renewableAt) return undefined;
      renewableAt = clock() + minRenewalIntervalMs;
      return startFetch();
    },
  };
}

async function readResponse(fetchKeys: () => Promise<Response>): Promise<KeyResponse> {
  const response = await fetchKeys();
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    text: await response.text(),
  };
}
