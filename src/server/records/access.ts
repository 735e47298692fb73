import { mayOn, type Standing } from '#shared/permissions.ts';
import type { Actor } from '../base/actor.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import { requireOpen } from '../organizations/authorization.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import type { RecordKind } from './kind.ts';
import type { Place, Readable, StoredRecord } from './record.ts';

/** What a user may do with a record; `manage` is to share, transfer and permanently delete it. */
export type Access = 'view' | 'edit' | 'manage';

/** A kind of record, for finding records that a user may see. */
type Findable<Stored extends StoredRecord> = Pick<
  RecordKind<object, Stored>,
  'name' | 'findReadable' | 'lockVisible'
>;

/** Returns what decides which actions a user may take on a record. */
export const standingOf = (
  { role, share, isHidden, ...record }: Omit<Readable<StoredRecord>, 'requireSso'>,
  userId: string,
): Standing => ({
  isPersonal: record.organizationId === undefined,
  role,
  isOwner: record.userId === userId,
  share,
  isRestricted: isHidden,
});

/** Returns a record that the actor may see. Throws `not_found`, `sso_required`, and `forbidden` if the actor has less access. */
export async function requireRecord<Stored extends StoredRecord>(
  reader: Reader,
  actor: Actor,
  kind: Findable<Stored>,
  id: string,
  needed: Access = 'view',
): Promise<Readable<Stored>> {
  return requireFound(reader, actor, kind, { id, needed, place: 'in use' });
}

/**
 * Like `requireRecord`, in a transaction that changes the record. Access is read by a separate query after the record is
 * locked, since a query that waits for the lock sees the access from before it waited.
 */
export async function requireRecordToChange<Stored extends StoredRecord>(
  transaction: Transaction,
  actor: Actor,
  kind: Findable<Stored>,
  input: { readonly id: string; readonly needed: Access; readonly place?: Place },
): Promise<Readable<Stored>> {
  const { id, needed, place = 'in use' } = input;
  if (!(await kind.lockVisible(transaction, { id, userId: actor.userId }))) throw notFound();
  return requireFound(transaction, actor, kind, { id, needed, place });
}

async function requireFound<Stored extends StoredRecord>(
  reader: Reader,
  actor: Actor,
  kind: Findable<Stored>,
  { id, needed, place }: { readonly id: string; readonly needed: Access; readonly place: Place },
): Promise<Readable<Stored>> {
  const found = await kind.findReadable(reader, { id, userId: actor.userId, place });
  const record = requireOpen(actor, found, found?.organizationId);
  requireAccess(actor, kind, record, needed);
  return record;
}

/** Throws `forbidden` unless the actor has the access that is needed. */
function requireAccess(
  actor: Actor,
  { name }: { readonly name: 'dashboard' | 'report' },
  record: Readable<StoredRecord>,
  needed: Access,
): void {
  if (needed === 'view' || mayOn(standingOf(record, actor.userId), `${name}.${needed}`)) return;
  throw new AtriumError(
    'forbidden',
    needed === 'edit'
      ? `You can view this ${name}, but not edit it.`
      : `Only the owner of this ${name} and the admins of its organization can do this.`,
  );
}
