import { mayOn, type Standing } from '#shared/permissions.ts';
import type { Actor } from '../base/actor.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import { requireOpen } from '../organizations/authorization.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import type { Place, Readable, RecordKind, StoredRecord } from './kind.ts';

/** How much of a record somebody needs to be allowed. */
type Needed = 'view' | 'edit' | 'manage';

/** How a kind of record is found by those who may see it. */
type Findable<Stored extends StoredRecord> = Pick<
  RecordKind<object, Stored>,
  'name' | 'findReadable' | 'lockVisible'
>;

/** Returns what decides how much of a record a user may do. */
export const standingOf = (
  { role, share, isRestricted, ...record }: Omit<Readable<StoredRecord>, 'requireSso'>,
  userId: string,
): Standing => ({
  isPersonal: record.organizationId === undefined,
  role,
  isOwner: record.userId === userId,
  share,
  isRestricted,
});

/** Returns a record that the actor may see. Throws `not_found`, `sso_required`, and `forbidden` when the access is too low. */
export async function requireRecord<Stored extends StoredRecord>(
  reader: Reader,
  actor: Actor,
  kind: Findable<Stored>,
  id: string,
  needed: Needed = 'view',
): Promise<Readable<Stored>> {
  return requireFound(reader, actor, kind, { id, needed, place: 'in use' });
}

/**
 * As `requireRecord`, in a transaction that changes the record. Access is read once the record is locked, by a query of its
 * own: one that has waited for the lock knows the access only from before it waited.
 */
export async function requireRecordToChange<Stored extends StoredRecord>(
  transaction: Transaction,
  actor: Actor,
  kind: Findable<Stored>,
  input: { readonly id: string; readonly needed: Needed; readonly place?: Place },
): Promise<Readable<Stored>> {
  const { id, needed, place = 'in use' } = input;
  if (!(await kind.lockVisible(transaction, { id, userId: actor.userId }))) throw notFound();
  return requireFound(transaction, actor, kind, { id, needed, place });
}

async function requireFound<Stored extends StoredRecord>(
  reader: Reader,
  actor: Actor,
  kind: Findable<Stored>,
  { id, needed, place }: { readonly id: string; readonly needed: Needed; readonly place: Place },
): Promise<Readable<Stored>> {
  const found = await kind.findReadable(reader, { id, userId: actor.userId, place });
  const record = requireOpen(actor, found, found?.organizationId);
  requireAccess(actor, kind, record, needed);
  return record;
}

/** Throws `forbidden` unless the actor may do with a record what is needed. */
function requireAccess(
  actor: Actor,
  { name }: { readonly name: 'dashboard' | 'report' },
  record: Readable<StoredRecord>,
  needed: Needed,
): void {
  if (needed === 'view' || mayOn(standingOf(record, actor.userId), `${name}.${needed}`)) return;
  throw new AtriumError(
    'forbidden',
    needed === 'edit'
      ? `You can see this ${name}, but not change it.`
      : `Only the owner of this ${name} and the admins of its organization can do this.`,
  );
}
