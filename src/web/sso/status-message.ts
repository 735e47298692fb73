import type { SsoStatus } from '#contract/sso/policy.ts';
import { t } from '#shared/language/messages.ts';
import { listFormat } from '#shared/region/intl.ts';

/** The status in one sentence, and what to do next. */
export interface StatusMessage {
  readonly tone: 'good' | 'bad' | 'calm';
  readonly what: string;
  readonly next: string;
  /** The other reasons. */
  readonly others: SsoStatus['reasons'];
}

/** The reasons why nobody can sign in; the others are warnings. */
const blocking: ReadonlySet<string> = new Set([
  'configuration_missing',
  'client_id_missing',
  'tenant_required',
  'tenant_not_guid',
  'discovery_url_invalid',
  'secret_missing',
  'secret_unreadable',
  'no_proven_domain',
]);

/** Returns why nobody could sign in if single sign-on were turned on; none if people could. */
export const blockingReasons = ({ reasons }: SsoStatus): SsoStatus['reasons'] =>
  reasons.filter(({ code }) => blocking.has(code));

/** Returns the message for a status. `directory`: its name; `isTested`: whether a test sign-in has passed. */
export function statusMessage(
  status: SsoStatus,
  { directory, requireSso, isTested }: { directory: string; requireSso: boolean; isTested: boolean },
): StatusMessage {
  const [first, ...others] = status.reasons;
  switch (status.state) {
    case 'off':
      if (first?.code === 'configuration_missing') {
        return {
          tone: 'calm',
          what: t('Single sign-on is not set up. People sign in with a password.'),
          next: t('Register Atrium in your directory with the redirect URI, then enter the app details.'),
          others: [],
        };
      }
      if (first !== undefined && blocking.has(first.code)) {
        return {
          tone: 'calm',
          what: t('Single sign-on is off and not ready. {message}', { message: first.message }),
          next: first.remedy,
          others,
        };
      }
      return {
        tone: 'calm',
        what: t('Single sign-on is ready but off. People sign in with a password.'),
        next: isTested ? t('Turn it on.') : t('Test a sign-in, then turn it on.'),
        others: status.reasons,
      };
    case 'blocked':
      return {
        tone: 'bad',
        what: t('Single sign-on is on, but nobody can sign in. {message}', { message: first?.message ?? '' }),
        next: first?.remedy ?? '',
        others,
      };
    case 'failing':
      return {
        tone: 'bad',
        what: t('{directory} refused the last sign-in. {message}', {
          directory,
          message: first?.message ?? '',
        }),
        next: first?.remedy ?? '',
        others,
      };
    case 'ready':
      return {
        tone: 'good',
        what: requireSso
          ? t('People in {domains} must sign in through {directory}.', {
              domains: listed(verifiedDomains(status)),
              directory,
            })
          : t('People in {domains} sign in through {directory}.', {
              domains: listed(verifiedDomains(status)),
              directory,
            }),
        next: first === undefined ? t('There is nothing to do.') : `${first.message} ${first.remedy}`,
        others,
      };
  }
}

export const verifiedDomains = ({ domains }: SsoStatus): readonly string[] =>
  domains.filter(({ state }) => state === 'proven').map(({ domain }) => domain);

const maxListed = 3;

/** Returns names as a short list: `a, b, c and 4 more`. */
export function listed(names: readonly string[]): string {
  const rest = names.length - maxListed;
  return listFormat().format(rest > 0 ? [...names.slice(0, maxListed), t('{rest} more', { rest })] : names);
}
