import type { RecordPermissions } from '#contract/records/sharing.ts';
import { may, mayOn, type Standing } from '#shared/permissions.ts';
import type { Sharable, SharedRecord } from '../access/sharable.ts';
import { listFoldersAround } from '../access/folders-around.ts';
import { notMember, requireShared } from '../access/sharing.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { invalidBody } from '../base/errors.ts';
import { findRoleOf } from '../organizations/members.ts';
import type { Database, Reader } from '../storage/database.ts';
import { requireRecord, requireRecordToChange, standingOf, type Access } from './access.ts';
import { recordChange } from './audit.ts';
import { currentOf, type RecordKind } from './kind.ts';
import type { Readable, StoredRecord } from './record.ts';
import { storeVersion } from './versions/versions.ts';

/** Returns a kind of record as something that can be shared. */
export const sharableRecords = <Content extends object, Stored extends StoredRecord>(
  kind: RecordKind<Content, Stored>,
): Sharable<Readable<Stored> & SharedRecord> => ({
  kind: kind.name,
  require: async (reader, actor, id, needed) =>
    withOwner(await requireRecord(reader, actor, kind, id, needed)),
  requireToChange: async (transaction, actor, id, needed) =>
    withOwner(await requireRecordToChange(transaction, actor, kind, { id, needed })),
  levelOf: (_, standing) => levelOf(kind, standing),
  // Others find a record by its name only if it isn't restricted.
  onRestricted: (transaction, record) => kind.onChange(transaction, record, { isRenamed: true }),
  recordChange: (transaction, clock, actor, { record, action, details }) =>
    recordChange(transaction, clock, actor, { kind: kind.name, action, record, details }),
});

const withOwner = <Stored extends StoredRecord>(record: Readable<Stored>) => ({
  ...record,
  ownerId: record.userId,
});

/** Returns the most that a user may do with a record, or undefined if the user may not see it. */
function levelOf(
  { name }: Pick<RecordKind<object, StoredRecord>, 'name'>,
  standing: Standing,
): Access | undefined {
  if (mayOn(standing, `${name}.manage`)) return 'manage';
  if (mayOn(standing, `${name}.edit`)) return 'edit';
  return mayOn(standing, `${name}.view`) ? 'view' : undefined;
}

/** Returns the actor's permissions on a record that the actor may see. Throws `not_found`. */
export async function getPermissions<Content extends object, Stored extends StoredRecord>(
  reader: Reader,
  actor: Actor,
  kind: RecordKind<Content, Stored>,
  id: string,
): Promise<RecordPermissions> {
  const record = await requireRecord(reader, actor, kind, id);
  const { userId } = actor;
  const { folderId } = record;
  const [folder] = folderId === undefined ? [] : await listFoldersAround(reader, { folderId, userId });
  return {
    access: levelOf(kind, standingOf(record, userId)) ?? 'view',
    isOwner: record.userId === userId,
    restricted: record.isHidden,
    ...(folder?.isVisible === true && { folderId: folder.id }),
  };
}

/**
 * Makes another member the owner of a record, as a new version. Throws `personal_dashboard`, and `invalid_body` if the member
 * can't be.
 */
export function transferRecord<Content extends object, Stored extends StoredRecord>(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  actor: Actor,
  kind: RecordKind<Content, Stored>,
  { id, userId }: { id: string; userId: string },
): Promise<Stored> {
  return database.write(async (transaction) => {
    const sharable = sharableRecords(kind);
    const { record, organizationId } = await requireShared(transaction, actor, sharable, id);
    const role = await findRoleOf(transaction, organizationId, userId);
    if (role === undefined) throw invalidBody({ pointer: '/userId', ...notMember });
    if (!may(role, `${kind.name}.create`)) {
      throw invalidBody({ pointer: '/userId', code: 'role', message: 'must be an editor or higher' });
    }
    if (userId === record.userId) return record;
    const current = currentOf(kind, record);
    const stored = await storeVersion(transaction, kind, current, current.content, {
      userId,
      updatedBy: actor.userId,
      updatedAt: timestamp(clock()),
      change: 'transferred',
    });
    await kind.store.setOwner(transaction, { id, userId });
    await recordChange(transaction, clock, actor, {
      kind: kind.name,
      action: 'transferred',
      record,
      details: { before: record.userId, after: userId },
    });
    return stored;
  });
}
