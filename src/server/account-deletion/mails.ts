import type { Mailer } from '../mail/mailer.ts';
import { nameInMail } from '../mail/texts.ts';
import { listMailAddresses } from '../organizations/members.ts';
import type { Reader } from '../storage/database.ts';
import type { DeletedAccount } from './deletion.ts';

/** Tells a person that their account was deleted, and the owners of their organizations that a member has left. */
export async function mailDeletion(
  {
    database,
    mailer,
    publicUrl,
  }: { readonly database: Reader; readonly mailer: Mailer; readonly publicUrl: string },
  { name, email, isEmailVerified, organizations }: DeletedAccount,
): Promise<void> {
  if (!mailer.isConfigured) return;
  if (isEmailVerified) {
    await mailer.send({
      kind: 'account_deleted',
      to: email,
      text:
        `Your account at ${publicUrl} was deleted.\n\n` +
        'If this wasn’t you, ask the people who run the server. What you owned is with other members, or in the trash for 30 days.\n',
    });
  }
  const person = `${nameInMail(name)} (${email})`;
  for (const organization of organizations) {
    for (const to of await listMailAddresses(database, {
      organizationId: organization.id,
      roles: ['owner'],
    })) {
      await mailer.send({
        kind: 'member_left',
        to,
        organizationId: organization.id,
        text:
          `${person} has deleted their account, and is no longer a member of “${nameInMail(organization.name)}”. ` +
          'What they owned was handed over to another member, moved to the trash, or is managed by the admins. ' +
          `The audit log has the details:\n${publicUrl}/organizations/${organization.id}/audit\n`,
      });
    }
  }
}
