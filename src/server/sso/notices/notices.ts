import { daysMs, timestamp, type Clock } from '../../base/clock.ts';
import type { Mail, Mailer } from '../../mail/mailer.ts';
import { nameInMail } from '../../mail/texts.ts';
import { listMailAddresses } from '../../organizations/members.ts';
import type { Database } from '../../storage/database.ts';
import { secretNoticeDays } from '../configuration/reasons.ts';
import { replaceNotice, selectExpiringSecrets, type ExpiringSecret } from './store.ts';

export interface SecretNoticeDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly publicUrl: string;
}

/**
 * Mails the owners of organizations 60, 30 and 7 days before a client secret or a certificate expires, once each. A notice is stored before it is sent, so
 * that no other process sends it; if no mail server accepts it, it is due again. Sends nothing without a mail server.
 */
export async function mailSecretNotices(
  { database, clock, mailer, publicUrl }: SecretNoticeDependencies,
  stopped: AbortSignal,
): Promise<void> {
  if (!mailer.isConfigured) return;
  for (const secret of await selectExpiringSecrets(database)) {
    if (stopped.aborted) return;
    const noticed = findDue(secret, clock());
    if (noticed === undefined) continue;
    const { organizationId, configurationId, certificateId, noticed: before } = secret;
    const key = { organizationId, configurationId, certificateId };
    const isMine = await database.write((transaction) =>
      replaceNotice(transaction, { ...key, before, noticed }),
    );
    if (!isMine) continue;
    let isSent = false;
    for (const to of await listMailAddresses(database, { organizationId, roles: ['owner'] }))
      isSent = (await mailer.send(toMail(to, secret, { publicUrl, now: clock() }))).isSent || isSent;
    if (!isSent)
      await database.write((transaction) =>
        replaceNotice(transaction, { ...key, before: noticed, noticed: before }),
      );
  }
}

/** Returns what is stored about the notice that is due; undefined if none is, or if it or a later one was sent. */
function findDue({ expiresAt, noticed }: ExpiringSecret, now: number): string | undefined {
  const end = Date.parse(expiresAt ?? '');
  if (!(end > now)) return undefined;
  const days = secretNoticeDays.find((each) => end - now <= daysMs(each));
  if (days === undefined) return undefined;
  const [sentAbout, daysBefore] = noticed?.split(' ') ?? [];
  const about = timestamp(end);
  return sentAbout === about && Number(daysBefore) <= days ? undefined : `${about} ${days}`;
}

function toMail(
  to: string,
  {
    organizationId,
    configurationId,
    certificateId,
    organizationName,
    directoryName,
    expiresAt,
  }: ExpiringSecret,
  { publicUrl, now }: { readonly publicUrl: string; readonly now: number },
): Mail {
  const end = Date.parse(expiresAt ?? '');
  const days = Math.ceil((end - now) / daysMs(1));
  const left = days === 1 ? '1 day' : `${days} days`;
  const organization = nameInMail(organizationName);
  const directory = configurationId === '' ? '' : ` through “${nameInMail(directoryName)}”`;
  const page = `${publicUrl}/organizations/${organizationId}/sso${configurationId === '' ? '' : `/connections/${configurationId}`}`;
  const what = certificateId === undefined ? 'client secret' : 'certificate';
  const advice =
    certificateId === undefined
      ? 'Create a second secret at the identity provider, enter it with its expiry date on this page, and delete the old one once a test sign-in has succeeded'
      : 'Download the next certificate from this page, upload it at the identity provider beside the old one, and use it';
  return {
    kind: certificateId === undefined ? 'client_secret_expires' : 'certificate_expires',
    to,
    organizationId,
    text:
      `The ${what} with which people of ${organization} sign in to Atrium${directory} expires on ` +
      `${timestamp(end).slice(0, 10)}, in ${left}. After that, nobody can sign in with it.\n\n` +
      `${advice}:\n${page}\n`,
  };
}
