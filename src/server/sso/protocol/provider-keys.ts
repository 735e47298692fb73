import type { Clock } from '../../base/clock.ts';

/** What a provider answered when its keys were asked for. */
export interface KeyAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Keys, or the way to them: one such object stands for one fetch. */
export interface KeyFetch {
  readonly answer: Promise<KeyAnswer>;
  readonly expiresAt: number;
}

export interface ProviderKeys {
  /** Returns the keys that are known, or fetches them. */
  get(): KeyFetch;
  /**
   * Returns keys that were fetched after `known`, for a token that those do not fit; undefined when keys were fetched
   * for that reason within the last 10 s, so that forged tokens make nobody ask again and again.
   */
  findNewer(known: KeyFetch): KeyFetch | undefined;
}

/** A key that the provider takes back counts for so long. */
const lifetimeMs = 300_000;
const renewedAtMostEveryMs = 10_000;

/** Returns the keys of one provider, which `fetchKeys` asks for; of sign-ins at once, one does. */
export function createProviderKeys(fetchKeys: () => Promise<Response>, clock: Clock): ProviderKeys {
  let known: KeyFetch | undefined;
  let renewableAt = 0;

  function begin(): KeyFetch {
    const fresh: KeyFetch = { answer: readAnswer(fetchKeys), expiresAt: clock() + lifetimeMs };
    const forget = () => {
      if (known === fresh) known = undefined;
    };
    fresh.answer.then(({ status }) => {
      if (status !== 200) forget();
    }, forget);
    known = fresh;
    return fresh;
  }

  const get = () => (known !== undefined && known.expiresAt > clock() ? known : begin());
  return {
    get,
    findNewer: (unfit) => {
      if (known !== unfit) return get();
      if (clock() < renewableAt) return undefined;
      renewableAt = clock() + renewedAtMostEveryMs;
      return begin();
    },
  };
}

async function readAnswer(fetchKeys: () => Promise<Response>): Promise<KeyAnswer> {
  const answer = await fetchKeys();
  return {
    status: answer.status,
    contentType: answer.headers.get('content-type') ?? '',
    text: await answer.text(),
  };
}
