import { expressionBuilder, sql, type Expression, type SqlBool } from 'kysely';
import type { Report, ReportSummary } from '#contract/reports/reports.ts';
import type { Role } from '#contract/organizations/organizations.ts';
import { parseJson } from '../base/json.ts';
import type { PageRequest } from '../base/paging.ts';
import type { Current } from '../records/history.ts';
import { fromVersionColumns, toVersionColumns, type VersionColumns } from '../records/version-columns.ts';
import { mayOnRowOfMember, roleIn } from '../organizations/permission-filter.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare, type Sql } from '../storage/prepared-query.ts';
import type { Tables } from '../storage/tables.ts';
import type { ReportContent } from './content.ts';

/** A report as it is stored: what its history sees, and what is the server's. */
export interface StoredReport extends Current<ReportContent> {
  readonly organizationId: string;
  readonly userId: string;
  readonly createdAt: string;
}

/** A report that a member of its organization may see. */
export interface ReadableReport extends StoredReport {
  readonly role: Role;
  readonly requireSso: boolean;
  /** When it was deleted. */
  readonly deletedAt: string | undefined;
}

export interface ReportRow extends VersionColumns {
  id: string;
  organizationId: string;
  userId: string;
  dataSourceId: string;
  name: string;
  content: string;
  createdAt: string;
  updatedAt: string;
}

const insert = prepare((db, p: ReportRow) =>
  db.insertInto('reports').values({
    id: p.id,
    organization_id: p.organizationId,
    user_id: p.userId,
    data_source_id: p.dataSourceId,
    name: p.name,
    content: p.content,
    version: p.version,
    created_at: p.createdAt,
    updated_at: p.updatedAt,
    updated_by: p.updatedBy,
    change: p.change,
  }),
);

const update = prepare((db, p: ReportRow) =>
  db
    .updateTable('reports')
    .set({
      data_source_id: p.dataSourceId,
      name: p.name,
      content: p.content,
      version: p.version,
      updated_at: p.updatedAt,
      updated_by: p.updatedBy,
      change: p.change,
      restored_from: p.restoredFrom,
      save_hash: p.saveHash,
    })
    .where('id', '=', p.id),
);

export const reportColumns = [
  'reports.id',
  'reports.organization_id as organizationId',
  'reports.user_id as userId',
  'reports.data_source_id as dataSourceId',
  'reports.name',
  'reports.content',
  'reports.version',
  'reports.created_at as createdAt',
  'reports.updated_at as updatedAt',
  'reports.updated_by as updatedBy',
  'reports.change',
  'reports.restored_from as restoredFrom',
  'reports.save_hash as saveHash',
  'reports.deleted_at as deletedAt',
] as const;

/** A report as long as the user may see it, in the trash or not. */
const selectVisible = (db: Sql, p: { id: string; userId: string }) =>
  db
    .selectFrom('reports')
    .innerJoin('members', (join) =>
      join
        .onRef('members.organization_id', '=', 'reports.organization_id')
        .on('members.user_id', '=', p.userId),
    )
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .where('reports.id', '=', p.id);

/** One that the user may not see is not even read: how long that takes would tell of it. */
const readable = prepare((db, p: { id: string; userId: string }) =>
  selectVisible(db, p).select([...reportColumns, 'members.role', 'organizations.require_sso as requireSso']),
);

/** On PostgreSQL others that would change the report wait; nobody makes them wait who does not see it. */
const lockVisible = prepare((db, p: { id: string; userId: string }) =>
  selectVisible(db, p).select('reports.id').forUpdate('reports'),
);

const eb = expressionBuilder<Tables, 'reports'>();

/** Returns, as a condition on the rows of `reports`, whether a member may edit a report of the organization. */
export const mayEditReport = (userId: string): Expression<SqlBool> =>
  mayOnRowOfMember('report.edit', {
    userId,
    organizationId: eb.ref('reports.organization_id'),
    ownerId: eb.ref('reports.user_id'),
    restricted: sql.lit(0),
    role: roleIn(eb.ref('reports.organization_id'), userId),
    share: sql.lit(null),
  });

interface ListParameters {
  organizationId: string;
  before: string;
  limit: number;
}

const setDeleted = prepare((db, p: { id: string; at: string | null; userId: string | null }) =>
  db.updateTable('reports').set({ deleted_at: p.at, deleted_by: p.userId }).where('id', '=', p.id),
);

const remove = prepare((db, p: { id: string }) => db.deleteFrom('reports').where('id', '=', p.id));

const addTombstone = prepare((db, p: { id: string; organizationId: string; name: string }) =>
  db
    .insertInto('report_tombstones')
    .values({ id: p.id, organization_id: p.organizationId, name: p.name })
    .onConflict((conflict) => conflict.column('id').doNothing()),
);

const deletedName = prepare((db, p: { id: string }) =>
  db
    .selectFrom('reports')
    .select(['name', 'organization_id as organizationId'])
    .where('id', '=', p.id)
    .where('deleted_at', 'is not', null),
);

const tombstone = prepare((db, p: { id: string }) =>
  db
    .selectFrom('report_tombstones')
    .select(['name', 'organization_id as organizationId'])
    .where('id', '=', p.id),
);

const old = prepare((db, p: { before: string; limit: number }) =>
  db
    .selectFrom('reports')
    .select(['id', 'name', 'organization_id as organizationId'])
    .where('deleted_at', '<', p.before)
    .orderBy('deleted_at')
    .limit(p.limit)
    .forUpdate()
    .skipLocked(),
);

const toRow = ({ content, ...report }: StoredReport): ReportRow => ({
  id: report.id,
  organizationId: report.organizationId,
  userId: report.userId,
  dataSourceId: content.dataSourceId,
  name: content.name,
  content: JSON.stringify(content),
  createdAt: report.createdAt,
  updatedAt: report.updatedAt,
  ...toVersionColumns(report),
});

export const toStored = (row: ReportRow): StoredReport => ({
  id: row.id,
  organizationId: row.organizationId,
  userId: row.userId,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  ...fromVersionColumns(row),
  // Sound because the column holds only what was written by `toRow`.
  content: parseJson(row.content) as ReportContent,
});

export const insertReport = (transaction: Transaction, report: StoredReport): Promise<number> =>
  transaction.run(insert, toRow(report));

export const updateReportRow = (transaction: Transaction, report: StoredReport): Promise<number> =>
  transaction.run(update, toRow(report));

/** Moves a report to the trash, or restores it. */
export const markReportDeleted = (
  transaction: Transaction,
  id: string,
  deletion: { at: string; userId: string } | undefined,
): Promise<number> =>
  transaction.run(setDeleted, { id, at: deletion?.at ?? null, userId: deletion?.userId ?? null });

/** Returns a report of an organization that the user is a member of, the trash included, or undefined. */
export async function findReadableReport(
  reader: Reader,
  id: string,
  userId: string,
): Promise<ReadableReport | undefined> {
  const row = await reader.first(readable, { id, userId });
  return row && toReadable(row);
}

/**
 * As `findReadableReport`, in a transaction that changes it. The role is read once the row is locked, by a query of its
 * own: one that has waited for the lock knows the role only from before it waited.
 */
export async function lockReadableReport(
  transaction: Transaction,
  id: string,
  userId: string,
): Promise<ReadableReport | undefined> {
  if ((await transaction.first(lockVisible, { id, userId })) === undefined) return undefined;
  return findReadableReport(transaction, id, userId);
}

const toReadable = (
  row: ReportRow & { role: string; requireSso: number; deletedAt: string | null },
): ReadableReport => ({
  ...toStored(row),
  role: row.role as Role,
  requireSso: row.requireSso === 1,
  deletedAt: row.deletedAt ?? undefined,
});

interface SearchParameters extends ListParameters {
  dataSourceId: string | undefined;
  /** For `like`, in lower case. */
  pattern: string | undefined;
}

const summaries = prepare((db, p: SearchParameters) => {
  let reports = db
    .selectFrom('reports')
    .select(reportColumns)
    .where('organization_id', '=', p.organizationId)
    .where('deleted_at', 'is', null)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit);
  if (p.dataSourceId !== undefined) reports = reports.where('data_source_id', '=', p.dataSourceId);
  if (p.pattern !== undefined)
    reports = reports.where(sql<boolean>`lower(name) like ${p.pattern} escape '!'`);
  return reports;
});

/** Returns up to one more than the page has, newest first. */
export async function selectReports(
  reader: Reader,
  filter: { organizationId: string; dataSourceId?: string; q?: string },
  page: PageRequest,
): Promise<ReportSummary[]> {
  const { organizationId, dataSourceId, q } = filter;
  const pattern = q === undefined ? undefined : `%${q.toLowerCase().replaceAll(/[!%_]/g, '!$&')}%`;
  const range = { before: page.after ?? '~', limit: page.limit + 1 };
  const rows = await reader.all(summaries, { organizationId, dataSourceId, pattern, ...range });
  return rows.map((row) => toSummary(toStored(row)));
}

export const toSummary = ({
  id,
  organizationId,
  userId,
  createdAt,
  updatedAt,
  content,
}: Pick<
  StoredReport,
  'id' | 'organizationId' | 'userId' | 'createdAt' | 'updatedAt' | 'content'
>): ReportSummary => ({
  id,
  organizationId,
  userId,
  name: content.name,
  ...(content.description !== undefined && { description: content.description }),
  dataSourceId: content.dataSourceId,
  createdAt,
  updatedAt,
});

/** Returns a stored report as its record. */
export const toReport = ({
  id,
  organizationId,
  userId,
  createdAt,
  updatedAt,
  content,
}: StoredReport): Report => ({ id, organizationId, userId, ...content, createdAt, updatedAt });

/** Deletes a report permanently; its name is stored for the widgets that show it. */
export async function purgeReportRow(
  transaction: Transaction,
  report: { id: string; organizationId: string; name: string },
): Promise<void> {
  await transaction.run(addTombstone, report);
  await transaction.run(remove, { id: report.id });
}

/** Returns up to `limit` reports that were deleted before a time; skips those that another replica has locked. */
export const lockOldReports = (
  transaction: Transaction,
  range: { before: string; limit: number },
): Promise<{ id: string; name: string; organizationId: string }[]> => transaction.all(old, range);

/** Returns the name of a report that is in the trash or was deleted permanently, or undefined. */
export async function findDeletedReport(
  reader: Reader,
  id: string,
): Promise<{ name: string; organizationId: string } | undefined> {
  return (await reader.first(deletedName, { id })) ?? (await reader.first(tombstone, { id }));
}

const names = prepare((db, p: { organizationId: string; ids: readonly string[] }) =>
  db
    .selectFrom('reports')
    .select(['id', 'name'])
    .where('id', 'in', p.ids)
    .where('organization_id', '=', p.organizationId)
    .where('deleted_at', 'is', null),
);

/** Returns the names of those reports of an organization that are among `ids`, in their order, without those in the trash. */
export async function selectReportNames(
  reader: Reader,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await reader.all(names, { organizationId, ids });
  const nameById = new Map(rows.map(({ id, name }) => [id, name]));
  return ids.flatMap((id) => nameById.get(id) ?? []);
}
