import { hashToken, newToken } from '../base/credentials/tokens.ts';
import type { Mailer } from '../mail/mailer.ts';
import { nameInMail } from '../mail/texts.ts';
import type { Transaction } from '../storage/database.ts';
import { insertRestoreLink, selectOwnersOfDeleted } from './store.ts';

/** An owner of a deleted organization, with a link that restores it. */
export interface NotifiedOwner {
  readonly userId: string;
  /** Undefined if nobody has confirmed the address. */
  readonly email: string | undefined;
  readonly link: string;
}

/** Returns the owners of a deleted organization, each with a new link. */
export async function createRestoreLinks(
  transaction: Transaction,
  organizationId: string,
  publicUrl: string,
): Promise<NotifiedOwner[]> {
  const notified: NotifiedOwner[] = [];
  for (const { userId, email, isEmailVerified } of await selectOwnersOfDeleted(transaction, organizationId)) {
    const token = newToken();
    await insertRestoreLink(transaction, { tokenHash: hashToken(token), organizationId, userId });
    // After `#`, the token never reaches a server's log.
    const link = `${publicUrl}/restore-organization#${token}`;
    notified.push({ userId, email: isEmailVerified === 1 ? email : undefined, link });
  }
  return notified;
}

/** Mails owners that an organization was deleted, and how to restore it. */
export async function mailDeletion(
  mailer: Mailer,
  owners: readonly NotifiedOwner[],
  { id, name, endsAt }: { readonly id: string; readonly name: string; readonly endsAt: string },
): Promise<void> {
  if (!mailer.isConfigured) return;
  const organization = nameInMail(name);
  const day = endsAt.slice(0, 10);
  for (const { email, link } of owners) {
    if (email === undefined) continue;
    await mailer.send({
      kind: 'organization_deleted',
      to: email,
      organizationId: id,
      text:
        `The organization ${organization} on Atrium was deleted. Nobody can use it any more. Its data will be deleted on ${day}.\n\n` +
        `Until then, you can restore it with this link, without signing in:\n${link}\n\n` +
        'Anyone who has the link can restore the organization, but can’t sign in with it.\n',
    });
  }
}

/** Mails people who were owners that the data of an organization was deleted. */
export async function mailEnd(
  mailer: Mailer,
  emails: readonly string[],
  { id, name }: { readonly id: string; readonly name: string },
): Promise<void> {
  if (!mailer.isConfigured) return;
  const organization = nameInMail(name);
  for (const to of emails)
    await mailer.send({
      kind: 'organization_ended',
      to,
      organizationId: id,
      text:
        `The data of the organization ${organization} on Atrium was deleted permanently. It can’t be restored. ` +
        'Backups that the operator of the server made before may still contain it.\n',
    });
}
