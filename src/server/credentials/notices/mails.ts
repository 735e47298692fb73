import type { Mail } from '../../mail/mailer.ts';
import { nameInMail } from '../../mail/texts.ts';
import { endOf } from '../validity.ts';
import type { Candidate } from './store.ts';

const whatIs = { bearer: 'token', client_secret: 'client secret', client_key: 'public key' } as const;

/** Returns the email that warns someone that tokens for an organization expire soon. */
export function toMail(to: string, due: readonly Candidate[], publicUrl: string): Mail {
  const [first] = due;
  if (first === undefined) throw new Error('An email about tokens needs a token.');
  const organization = nameInMail(first.organizationName);
  const places = new Set(due.map((candidate) => placeOf(candidate, publicUrl)));
  return {
    kind: 'credentials_expire',
    to,
    organizationId: first.token.organizationId,
    text:
      `Programs that use the following for ${organization} on Atrium will stop working:\n\n` +
      `${due.map(lineOf).join('\n')}\n\n` +
      `Replace them in time, or revoke those that nothing uses:\n${[...places].join('\n')}\n`,
  };
}

const placeOf = ({ token: { isServiceAccount, organizationId } }: Candidate, publicUrl: string): string =>
  isServiceAccount ? `${publicUrl}/organizations/${organizationId}/settings` : `${publicUrl}/account`;

function lineOf({ token, ownerName }: Candidate): string {
  const name = nameInMail(token.name);
  const until = `expires on ${new Date(endOf(token)).toISOString().slice(0, 16).replace('T', ' at ')} UTC`;
  if (token.type === 'authorization')
    return `- Your authorization of “${name}” ${until}. Authorize it again then.`;
  const what = token.type === 'access' ? 'token' : whatIs[token.type];
  return token.isServiceAccount
    ? `- The ${what} “${name}” of the service account “${nameInMail(ownerName)}” ${until}`
    : `- Your personal token “${name}” ${until}`;
}
