import { mayOn, type Action } from '#shared/permissions.ts';
import type { Actor } from '../base/actor.ts';
import { AtriumError } from '../base/errors.ts';
import { requireAllowed, requireOpen } from '../organizations/authorization.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { findReadableReport, lockReadableReport, type ReadableReport } from './store.ts';

/** Where a report is: in use, or in the trash. */
type Place = 'in use' | 'in the trash';

/** Returns a report of an organization that the actor is a member of. Throws `not_found`, `sso_required`, `forbidden`. */
export async function requireReport(
  reader: Reader,
  actor: Actor,
  id: string,
  action: Action = 'report.view',
): Promise<ReadableReport> {
  return requireReadable(await findReadableReport(reader, id, actor.userId), actor, action, 'in use');
}

/** As `requireReport`, in a transaction that changes it. */
export async function requireReportToChange(
  transaction: Transaction,
  actor: Actor,
  id: string,
  place: Place = 'in use',
): Promise<ReadableReport> {
  return requireReadable(
    await lockReadableReport(transaction, id, actor.userId),
    actor,
    'report.edit',
    place,
  );
}

/** Throws `forbidden` unless the actor owns the report or is an admin of its organization. */
export function requireOwnReport({ role, userId }: ReadableReport, actor: Actor): void {
  const isOwner = userId === actor.userId;
  const standing = { isPersonal: false, role, isOwner, share: undefined, isRestricted: false } as const;
  if (mayOn(standing, 'report.purge')) return;
  throw new AtriumError(
    'forbidden',
    'Only the owner of this report and the admins of its organization may do this.',
  );
}

function requireReadable(
  found: ReadableReport | undefined,
  actor: Actor,
  action: Action,
  place: Place,
): ReadableReport {
  const isThere = (found?.deletedAt === undefined) === (place === 'in use');
  const report = requireOpen(actor, isThere ? found : undefined, found?.organizationId);
  requireAllowed(report.role, action);
  return report;
}
