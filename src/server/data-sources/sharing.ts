import type { RecordPermissions } from '#contract/sharing.ts';
import { mayOn } from '#shared/permissions.ts';
import type { Sharable, SharedRecord, SharingAccess } from '../access/sharable.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Actor } from '../base/actor.ts';
import type { Reader } from '../storage/database.ts';
import {
  editSource,
  requireDataSource,
  requireDataSourceToChange,
  standingOf,
  type SourceAction,
} from './access.ts';
import type { ReadableDataSource } from './store.ts';

/** Data sources as something that can be shared. */
export const sharableSources: Sharable = {
  kind: 'data_source',
  require: async (reader, actor, id, needed) =>
    toShared(await requireDataSource(reader, actor, id, actionFor(needed))),
  requireToChange: async (transaction, actor, id, needed) =>
    toShared(await requireDataSourceToChange(transaction, actor, id, actionFor(needed))),
  // Reports continue to run, and nothing else finds a data source by its name.
  onRestricted: async () => undefined,
  recordChange: async (transaction, clock, actor, { record, details }) => {
    const { id, name, organizationId } = record;
    if (organizationId === undefined) return;
    await recordAudit(transaction, clock, {
      organizationId,
      action: 'data_source.access_changed',
      actor,
      details: { dataSourceId: id, name, ...details },
    });
  },
};

const actionFor = (needed: SharingAccess): SourceAction =>
  needed === 'manage' ? 'data_source.manage' : editSource;

const toShared = ({ id, name, organizationId, isRestricted }: ReadableDataSource): SharedRecord => ({
  id,
  name,
  organizationId,
  isRestricted,
});

/** Returns the actor's permissions on a data source that the actor may see. Throws `not_found`. */
export async function getSourcePermissions(
  reader: Reader,
  actor: Actor,
  id: string,
): Promise<RecordPermissions> {
  const source = await requireDataSource(reader, actor, id, 'data_source.view');
  const { ownerId, isRestricted } = source;
  return {
    access: accessOf(source, actor.userId),
    isOwner: ownerId === actor.userId,
    restricted: isRestricted,
  };
}

function accessOf(source: ReadableDataSource, userId: string): RecordPermissions['access'] {
  const standing = standingOf(source, userId);
  if (mayOn(standing, 'data_source.manage')) return 'manage';
  if (mayOn(standing, editSource(source))) return 'edit';
  return mayOn(standing, 'data_source.use') ? 'use' : 'view';
}
