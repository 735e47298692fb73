import type { Actor } from '../../base/actor.ts';
import { minutesMs, type Clock } from '../../base/clock.ts';
import { AtriumError } from '../../base/errors.ts';
import { keyOfAccount, keyOfTenant, tenantOf, type LimitKey } from '../../base/tenant.ts';

const windowMs = minutesMs(1);
/** An organization's accounts together may send this many times the requests of one. */
const accountsWorth = 5;
/** The accounts, or organizations, that are counted at the same time: about 2 MB. */
const maxKeys = 10_000;

/** Counts a request of a program. Returns the headers of its response. Throws `too_many_attempts` if there were too many. */
export type LimitRequests = (actor: Actor) => Readonly<Record<string, string>>;

interface Window {
  readonly startedAt: number;
  used: number;
}

/**
 * Returns the function that limits the requests of programs in a minute: by account in an organization, so that more tokens don't
 * mean more requests, and for all accounts of an organization together, so that it leaves something to the others. A minute starts
 * with the first request. The headers are those of draft-ietf-httpapi-ratelimit-headers-10.
 */
export function createRequestLimits({
  clock,
  perMinute,
}: {
  readonly clock: Clock;
  /** The requests of one account. */
  readonly perMinute: number;
}): LimitRequests {
  const accounts = createWindows('default', perMinute);
  const organizations = createWindows('organization', perMinute * accountsWorth);
  const policy = `${accounts.policy}, ${organizations.policy}`;

  return ({ userId, scope }) => {
    const organizationId = scope === 'all' ? undefined : scope.organizationId;
    const tenant = tenantOf({ organizationId, userId });
    const now = clock();
    const both = [
      accounts.open(keyOfAccount(tenant, userId), now),
      organizations.open(keyOfTenant(tenant), now),
    ] as const;
    const [account, organization] = both;
    const nearest = organization.left < account.left ? organization : account;
    const isAllowed = nearest.left > 0;
    if (isAllowed) for (const { window } of both) window.used += 1;
    const seconds = Math.ceil((nearest.window.startedAt + windowMs - now) / 1_000);
    const left = isAllowed ? nearest.left - 1 : 0;
    const headers = { ratelimit: `"${nearest.name}";r=${left};t=${seconds}`, 'ratelimit-policy': policy };
    if (isAllowed) return headers;
    const whose = nearest === organization ? 'the programs of this organization' : 'this account';
    throw new AtriumError(
      'too_many_attempts',
      `There were too many requests by the tokens of ${whose}. Try again in ${seconds} s.`,
      { headers: { ...headers, 'retry-after': String(seconds) } },
    );
  };
}

function createWindows(name: string, limit: number) {
  /** In the order of their start, so that those that have ended are first. */
  const windows = new Map<LimitKey, Window>();

  /** A clock that was set back ends a window, too: nobody waits for longer than one lasts. */
  const isOpen = ({ startedAt }: Window, now: number) => now >= startedAt && now < startedAt + windowMs;

  function start(key: LimitKey, now: number): Window {
    windows.delete(key);
    for (const [other, window] of windows) {
      if (isOpen(window, now) && windows.size < maxKeys) break;
      windows.delete(other);
    }
    const window = { startedAt: now, used: 0 };
    windows.set(key, window);
    return window;
  }

  return {
    policy: `"${name}";q=${limit};w=${windowMs / 1_000}`,
    /** Returns the window of a key, and how many requests are left in it. */
    open(key: LimitKey, now: number) {
      const known = windows.get(key);
      const window = known !== undefined && isOpen(known, now) ? known : start(key, now);
      return { name, window, left: limit - window.used };
    },
  };
}
