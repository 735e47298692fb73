import type { SsoStatus } from '#contract/sso/policy.ts';
import { faultAt } from '../../ui/problems/field-faults.ts';
import type { ConnectionDraft } from './use-draft.ts';

/** The fields of the form, in the words of the body. */
export const fieldPointers = [
  '/clientId',
  '/tenantId',
  '/discoveryUrl',
  '/clientSecret',
  '/emailDomains/0',
] as const;
type Field = (typeof fieldPointers)[number];

/** Where the status finds what is wrong. */
const fieldsOfReasons: Readonly<Record<string, Field>> = {
  tenant_required: '/tenantId',
  tenant_not_guid: '/tenantId',
  discovery_url_invalid: '/discoveryUrl',
  secret_missing: '/clientSecret',
  secret_unreadable: '/clientSecret',
};

/** Returns what is wrong with a field: what the server said of what was sent, else what the status says of what is stored. */
export function wrongAt(
  field: Field,
  { error, status, isChanged }: { error: unknown; status: SsoStatus; isChanged: boolean },
): string | undefined {
  const fault = faultAt(error, field);
  if (fault !== undefined || isChanged) return fault;
  const reason = status.reasons.find(({ code }) => fieldsOfReasons[code] === field);
  return reason && `${reason.message} ${reason.remedy}`;
}

/** Returns what is missing before anything is sent, which the server would store, and never use. */
export const missingAddress = ({ kind, discoveryUrl }: ConnectionDraft): string | undefined =>
  kind === 'adfs' && discoveryUrl.trim() === ''
    ? 'Enter the address of your AD FS, where people sign in.'
    : undefined;
