import { expressionBuilder, sql, type Expression, type SqlBool } from 'kysely';
import type { Report, ReportSummary } from '#contract/reports/reports.ts';
import type { Role } from '#contract/organizations/organizations.ts';
import { parseJson } from '../base/json.ts';
import type { PageRequest } from '../base/paging.ts';
import { atPlace, type Place, type Readable, type StoredRecord } from '../records/kind.ts';
import { fromVersionColumns, toVersionColumns, type VersionColumns } from '../records/versions/columns.ts';
import { mayOnRowOfMember, roleIn } from '../organizations/permission-filter.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare, type Sql } from '../storage/prepared-query.ts';
import type { Tables } from '../storage/tables.ts';
import type { ReportContent } from './content.ts';

/** A stored report. */
export interface StoredReport extends StoredRecord {
  readonly organizationId: string;
  readonly content: ReportContent;
}

export type ReadableReport = Readable<StoredReport>;

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

const toStored = (row: ReportRow): StoredReport => ({
  id: row.id,
  organizationId: row.organizationId,
  userId: row.userId,
  name: row.name,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  ...fromVersionColumns(row),
  // Sound because the column holds only what was written by `toRow`.
  content: parseJson(row.content) as ReportContent,
});

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

export const insertReport = (transaction: Transaction, report: StoredReport): Promise<number> =>
  transaction.run(insert, toRow(report));

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

export const updateReportRow = (transaction: Transaction, report: StoredReport): Promise<number> =>
  transaction.run(update, toRow(report));

const reportColumns = [
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
] as const;

/** Selects a report if the user may see it, in use or in the trash. */
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

/** Reports that the user may not see aren't read at all, since the time of reading them would reveal that they exist. */
const readable = prepare((db, p: { id: string; userId: string; isDeleted?: true | undefined }) =>
  selectVisible(db, p)
    .select([...reportColumns, 'members.role', 'organizations.require_sso as requireSso'])
    .where('reports.deleted_at', p.isDeleted === undefined ? 'is' : 'is not', null),
);

/** Returns a report of an organization that the user is a member of, or undefined. */
export async function findReadableReport(
  reader: Reader,
  { id, userId, place }: { readonly id: string; readonly userId: string; readonly place: Place },
): Promise<ReadableReport | undefined> {
  const row = await reader.first(readable, { id, userId, ...atPlace(place) });
  return row && toReadable(row);
}

const inOrganization = prepare(
  (db, p: { organizationId: string; id: string; isDeleted?: true | undefined }) =>
    db
      .selectFrom('reports')
      .select(reportColumns)
      .where('id', '=', p.id)
      .where('organization_id', '=', p.organizationId)
      .where('deleted_at', p.isDeleted === undefined ? 'is' : 'is not', null),
);

/** Returns a report of an organization, or undefined. */
export async function findReportInOrganization(
  reader: Reader,
  input: { readonly organizationId: string; readonly id: string; readonly place: Place },
): Promise<ReadableReport | undefined> {
  const { organizationId, id, place } = input;
  const row = await reader.first(inOrganization, { organizationId, id, ...atPlace(place) });
  return row && toReadable({ ...row, role: null, requireSso: null });
}

const toReadable = (row: ReportRow & { role: string | null; requireSso: number | null }): ReadableReport => ({
  ...toStored(row),
  // Sound because the column holds only roles of the contract.
  role: (row.role ?? undefined) as Role | undefined,
  share: undefined,
  isRestricted: false,
  requireSso: row.requireSso === 1,
});

/** On PostgreSQL, others who want to change the report wait, but never for a user who may not see it. */
const lockVisible = prepare((db, p: { id: string; userId: string }) =>
  selectVisible(db, p).select('reports.id').forUpdate('reports'),
);

/** Locks a report that the user may see, in use or in the trash, and returns whether it exists. */
export const lockVisibleReport = async (
  transaction: Transaction,
  key: { readonly id: string; readonly userId: string },
): Promise<boolean> => (await transaction.first(lockVisible, key)) !== undefined;

interface ListParameters {
  organizationId: string;
  before: string;
  limit: number;
}

interface SearchParameters extends ListParameters {
  dataSourceId: string | undefined;
  /** A pattern for `like`, in lower case. */
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

/** Returns the reports of a page, newest first, and one more if there is one. */
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

/** Returns a stored report as the API returns it. */
export const toReport = ({
  id,
  organizationId,
  userId,
  createdAt,
  updatedAt,
  content,
}: StoredReport): Report => ({ id, organizationId, userId, ...content, createdAt, updatedAt });
