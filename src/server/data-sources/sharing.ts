import type { RecordPermissions } from '#contract/records/sharing.ts';
import { mayOn, type Standing } from '#shared/permissions.ts';
import type { AccessLevel, Sharable, SharingAccess } from '../access/sharable.ts';
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
export const sharableSources: Sharable<ReadableDataSource> = {
  kind: 'data_source',
  require: (reader, actor, id, needed) => requireDataSource(reader, actor, id, actionFor(needed)),
  requireToChange: (transaction, actor, id, needed) =>
    requireDataSourceToChange(transaction, actor, id, actionFor(needed)),
  levelOf,
  // Reports continue to run, and nothing else finds a data source by its name.
  onRestricted: async () => undefined,
  recordChange: async (transaction, clock, actor, { record, details }) => {
    const { id, name, organizationId } = record;
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

/** Returns the most that a user may do with a data source, or undefined if the user may not see it. */
function levelOf(source: Pick<ReadableDataSource, 'kind'>, standing: Standing): AccessLevel | undefined {
  if (mayOn(standing, 'data_source.manage')) return 'manage';
  if (mayOn(standing, editSource(source))) return 'edit';
  if (mayOn(standing, 'data_source.use')) return 'use';
  return mayOn(standing, 'data_source.view') ? 'view' : undefined;
}

/** Returns the actor's permissions on a data source that the actor may see. Throws `not_found`. */
export async function getSourcePermissions(
  reader: Reader,
  actor: Actor,
  id: string,
): Promise<RecordPermissions> {
  const source = await requireDataSource(reader, actor, id, 'data_source.view');
  return {
    access: levelOf(source, standingOf(source, actor.userId)) ?? 'view',
    isOwner: source.ownerId === actor.userId,
    restricted: source.isRestricted,
  };
}
