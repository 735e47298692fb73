import type { AuditAction } from '#shared/audit-actions.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Actor } from '../base/actor.ts';
import type { Clock } from '../base/clock.ts';
import type { Transaction } from '../storage/database.ts';
import type { StoredRecord } from './record.ts';

type RecordAction<Name extends string> = AuditAction extends infer Action
  ? Action extends `${Name}.${infer What}`
    ? What
    : never
  : never;

/** Writes an action on a record to the audit log of its organization, if it has one; without an actor, the server did it. */
export async function recordChange<Name extends 'dashboard' | 'report'>(
  transaction: Transaction,
  clock: Clock,
  actor: Actor | undefined,
  change: {
    readonly kind: Name;
    readonly action: RecordAction<Name>;
    readonly record: Pick<StoredRecord, 'id' | 'name' | 'organizationId'>;
    readonly details?: object;
  },
): Promise<void> {
  const { kind, action, record, details } = change;
  const { id, name, organizationId } = record;
  if (organizationId === undefined) return;
  await recordAudit(transaction, clock, {
    organizationId,
    action: `${kind}.${action}` as AuditAction,
    ...(actor && { actor }),
    details: { [`${kind}Id`]: id, name, ...details },
  });
}
