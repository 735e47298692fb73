import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { nameInMail } from '../../mail/texts.ts';
import { listMailAddresses } from '../../organizations/members.ts';
import { getUser } from '../../organizations/users.ts';
import type { Database } from '../../storage/database.ts';

/** Mails the owners of an organization that one of them downloads all of its data. */
export async function mailOwners(
  {
    database,
    clock,
    mailer,
  }: { readonly database: Database; readonly clock: Clock; readonly mailer: Mailer },
  actor: Actor,
  { organizationId, name }: { readonly organizationId: string; readonly name: string },
): Promise<void> {
  if (!mailer.isConfigured) return;
  const organization = nameInMail(name);
  const person = await getUser(database, actor.userId);
  for (const to of await listMailAddresses(database, { organizationId, roles: ['owner'] }))
    await mailer.send({
      kind: 'data_downloaded',
      to,
      organizationId,
      text:
        `${person.email} started to download all data of the organization ${organization} on Atrium at ` +
        `${timestamp(clock())} (UTC). The archive has no passwords and no other secrets.\n\n` +
        'If you didn’t expect this, ask them, and look at the audit log of the organization.\n',
    });
}
