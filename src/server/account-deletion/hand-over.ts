import { may } from '#shared/permissions.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Actor } from '../base/actor.ts';
import type { Clock } from '../base/clock.ts';
import { AtriumError, invalidBody } from '../base/errors.ts';
import type { FindSourceUses } from '../data-sources/data-sources.ts';
import { deleteDataSource } from '../data-sources/trash.ts';
import type { ItemDependencies } from '../folders/items.ts';
import { deleteFolder } from '../folders/trash.ts';
import { requirePermissionToChange } from '../organizations/authorization.ts';
import { findRoleOf } from '../organizations/members.ts';
import type { RecordKind } from '../records/kind.ts';
import type { StoredRecord } from '../records/record.ts';
import { transferRecord } from '../records/sharing.ts';
import { moveToTrash } from '../records/trash.ts';
import { dashboardKind } from '../dashboards/kind.ts';
import type { ReportKind } from '../reports/kind.ts';
import type { Database, Reader } from '../storage/database.ts';
import {
  eachOwned,
  endPersonalFolder,
  lockOwnedSources,
  selectOwnedFolders,
  updateFolderOwner,
  updateSourceOwner,
  type OwnedKind,
} from './owned-queries.ts';

export interface HandOverDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly reportKind: ReportKind;
  readonly findSourceUses: FindSourceUses;
  readonly folders: ItemDependencies;
}

/** What becomes of what a person owns in an organization. */
export interface HandOver {
  readonly organizationId: string;
  /** The member who gets it; undefined for the trash. */
  readonly to: string | undefined;
}

/** Throws `invalid_body` unless the chosen person is another member who can own dashboards, reports, folders and data sources. */
export async function requireSuccessor(
  reader: Reader,
  actor: Actor,
  { organizationId, to, pointer }: HandOver & { readonly pointer: string },
): Promise<void> {
  if (to === undefined) return;
  const role = await findRoleOf(reader, organizationId, to);
  if (role === undefined || to === actor.userId)
    throw invalidBody({ pointer, code: 'member', message: 'must be another member of the organization' });
  if (!may(role, 'dashboard.create'))
    throw invalidBody({ pointer, code: 'role', message: 'must be an editor or higher' });
}

/**
 * Hands what the actor owns in an organization on to another member, or moves it to the trash. Each thing is changed by the rules
 * that apply to it, so nobody gets access to a data source by it that they could not use before. What others still use stays where
 * it is, and the admins manage it: reports that dashboards show, data sources that reports query, folders with things of others.
 */
export async function handOver(
  dependencies: HandOverDependencies,
  actor: Actor,
  { organizationId, to }: HandOver,
): Promise<void> {
  if (to === undefined) await discard(dependencies, actor, organizationId);
  else await transfer(dependencies, actor, { organizationId, to });
}

async function transfer(
  { database, clock, reportKind }: HandOverDependencies,
  actor: Actor,
  { organizationId, to }: { readonly organizationId: string; readonly to: string },
): Promise<void> {
  const owner = { organizationId, userId: actor.userId };
  async function transferAll<Content extends object, Stored extends StoredRecord>(
    owned: OwnedKind,
    kind: RecordKind<Content, Stored>,
  ): Promise<void> {
    for await (const id of eachOwned(database, owner, owned))
      await unlessRefused(transferRecord({ database, clock }, actor, kind, { id, userId: to }));
  }
  await transferAll('dashboards', dashboardKind);
  await transferAll('reports', reportKind);
  await database.write(async (transaction) => {
    await requirePermissionToChange(transaction, actor, organizationId, 'organization.view');
    await requireSuccessor(transaction, actor, { organizationId, to, pointer: '' });
    const role = await findRoleOf(transaction, organizationId, to);
    const [before, after] = [actor.userId, to];
    // Who owns a server can change where it connects to and how it signs in there.
    const mayOwnServers = may(role, 'data_source.manage_server');
    const kind = mayOwnServers ? undefined : 'files';
    for (const { id, name } of await lockOwnedSources(transaction, { ...owner, kind })) {
      await updateSourceOwner(transaction, { id, userId: to });
      const details = { dataSourceId: id, name, before, after };
      await recordAudit(transaction, clock, {
        organizationId,
        action: 'data_source.transferred',
        actor,
        details,
      });
    }
    await endPersonalFolder(transaction, { ...owner, name: 'Handed over' });
    for (const { id, name } of await selectOwnedFolders(transaction, owner)) {
      const details = { folderId: id, name, before, after };
      await recordAudit(transaction, clock, { organizationId, action: 'folder.transferred', actor, details });
    }
    await updateFolderOwner(transaction, { ...owner, to });
    transaction.announce(organizationId);
  });
}

async function discard(
  { database, clock, reportKind, findSourceUses, folders }: HandOverDependencies,
  actor: Actor,
  organizationId: string,
): Promise<void> {
  const owner = { organizationId, userId: actor.userId };
  const change = { expected: 'any' } as const;
  for await (const id of eachOwned(database, owner, 'dashboards'))
    await unlessRefused(moveToTrash({ database, clock }, actor, dashboardKind, { id, ...change }));
  for await (const id of eachOwned(database, owner, 'reports')) {
    await unlessRefused(
      (async () => {
        await folders.kinds.report.requireUnused?.(actor, id);
        await moveToTrash({ database, clock }, actor, reportKind, { id, ...change });
      })(),
    );
  }
  for await (const id of eachOwned(database, owner, 'dataSources')) {
    const source = { id, isForced: false };
    await unlessRefused(deleteDataSource({ database, clock, findUses: findSourceUses }, actor, source));
  }
  await database.write((transaction) => endPersonalFolder(transaction, { ...owner, name: 'Handed over' }));
  for await (const id of eachOwned(database, owner, 'folders'))
    await unlessRefused(deleteFolder(folders, actor, { id, isForced: false }));
}

/** What others use, what the actor's role doesn't permit, and what somebody else has just deleted stays as it is. */
const refusals = new Set(['forbidden', 'not_found', 'data_source_in_use', 'report_in_use']);

async function unlessRefused(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof AtriumError) || !refusals.has(error.code)) throw error;
  }
}
