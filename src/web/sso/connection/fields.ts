import type { SsoStatus } from '#contract/sso/policy.ts';
import { t } from '#shared/language/messages.ts';
import { faultAt } from '../../ui/problems/field-faults.ts';
import type { ConnectionDraft } from './use-draft.ts';

/** The fields of the form, as pointers into the body. */
export const fieldPointers = [
  '/clientId',
  '/tenantId',
  '/discoveryUrl',
  '/clientSecret',
  '/emailDomains/0',
] as const;
type Field = (typeof fieldPointers)[number];

/** The field to which each reason of the status belongs. */
const fieldsOfReasons: Readonly<Record<string, Field>> = {
  tenant_required: '/tenantId',
  tenant_not_guid: '/tenantId',
  client_id_missing: '/clientId',
  discovery_url_invalid: '/discoveryUrl',
  secret_missing: '/clientSecret',
  secret_unreadable: '/clientSecret',
};

/** Returns the error of a field: from the response to the last save, otherwise from the status of the stored configuration. */
export function fieldError(
  field: Field,
  { error, status, isChanged }: { error: unknown; status: SsoStatus; isChanged: boolean },
): string | undefined {
  const fault = faultAt(error, field);
  if (fault !== undefined || isChanged) return fault;
  const reason = status.reasons.find(({ code }) => fieldsOfReasons[code] === field);
  return reason && `${reason.message} ${reason.remedy}`;
}

/** Returns an error if the address is missing, which the server would accept, but never use. */
export function missingAddress({ kind, discoveryUrl }: ConnectionDraft): string | undefined {
  if (kind === 'entra' || kind === 'google' || discoveryUrl.trim() !== '') return undefined;
  return kind === 'adfs'
    ? t('Enter the address of your AD FS, where people sign in.')
    : t('Enter the address of the provider, where people sign in.');
}
