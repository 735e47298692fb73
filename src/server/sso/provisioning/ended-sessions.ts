import { timestamp, type Clock } from '../../base/clock.ts';
import { findAccountById } from '../../organizations/users.ts';
import type { Transaction } from '../../storage/database.ts';
import { recordLogout } from '../sign-in/outcome-store.ts';
import { findProvisioningDirectory } from './directory.ts';

/**
 * Records in the status of single sign-on that provisioning has ended sessions of a person, and how long after its request arrived, if
 * one did.
 */
export async function recordEndedSessions(
  transaction: Transaction,
  clock: Clock,
  {
    organizationId,
    userId,
    count,
    receivedAt,
  }: {
    readonly organizationId: string;
    readonly userId: string;
    readonly count: number;
    readonly receivedAt: number | undefined;
  },
): Promise<void> {
  if (count === 0) return;
  const directory = await findProvisioningDirectory(transaction, organizationId);
  if (directory === undefined) return;
  const email = (await findAccountById(transaction, userId))?.email ?? '';
  const now = clock();
  const seconds = receivedAt === undefined ? undefined : Math.max(0, Math.ceil((now - receivedAt) / 1_000));
  const messageEnd = seconds === undefined ? '' : ` within ${seconds} s of the SCIM request`;
  await recordLogout(transaction, directory.configuration, timestamp(now), {
    email,
    count,
    seconds,
    messageEnd,
  });
}
