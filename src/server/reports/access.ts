import type { Role } from '#contract/organizations/organizations.ts';
import type { Actor } from '../base/actor.ts';
import { AtriumError } from '../base/errors.ts';
import { requireAtLeast, requireOpen } from '../organizations/members.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { findReadableReport, lockReadableReport, type ReadableReport } from './store.ts';

/** Where a report is: in use, or in the trash. */
type Place = 'in use' | 'in the trash';

/** Returns a report of an organization that the actor is a member of. Throws `not_found`, `sso_required`, `forbidden`. */
export async function requireReport(
  reader: Reader,
  actor: Actor,
  id: string,
  needed: Role = 'viewer',
): Promise<ReadableReport> {
  return requireReadable(await findReadableReport(reader, id, actor.userId), actor, needed, 'in use');
}

/** As `requireReport`, in a transaction that changes it. */
export async function requireReportToChange(
  transaction: Transaction,
  actor: Actor,
  id: string,
  place: Place = 'in use',
): Promise<ReadableReport> {
  return requireReadable(await lockReadableReport(transaction, id, actor.userId), actor, 'editor', place);
}

/** Throws `forbidden` unless the actor owns the report or is an admin of its organization. */
export function requireOwnReport({ role, userId }: ReadableReport, actor: Actor): void {
  if (role === 'owner' || role === 'admin' || userId === actor.userId) return;
  throw new AtriumError(
    'forbidden',
    'Only the owner of this report and the admins of its organization may do this.',
  );
}

function requireReadable(
  found: ReadableReport | undefined,
  actor: Actor,
  needed: Role,
  place: Place,
): ReadableReport {
  const isThere = (found?.deletedAt === undefined) === (place === 'in use');
  const report = requireOpen(actor, isThere ? found : undefined, found?.organizationId);
  requireAtLeast(report.role, needed);
  return report;
}
