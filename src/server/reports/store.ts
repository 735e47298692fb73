import { sql } from 'kysely';
import type { Report, ReportSummary } from '#contract/reports/reports.ts';
import { visibleFolder } from '../access/folders-around.ts';
import { mayOnRecordOfMember } from '../access/filter.ts';
import { parseJson } from '../base/texts/json.ts';
import { type FirstRows, mapRows, type PageRequest } from '../base/paging.ts';
import type { Readable, StoredRecord } from '../records/record.ts';
import { recordRows } from '../records/rows.ts';
import type { Reader } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';
import type { ReportContent } from './content.ts';

/** A stored report. */
export interface StoredReport extends StoredRecord {
  readonly organizationId: string;
  readonly content: ReportContent;
}

export type ReadableReport = Readable<StoredReport>;

/** Sound because the column holds only what was stored as the content of a report. */
const parseContent = (text: string): ReportContent => parseJson(text) as ReportContent;

export const reportRows = recordRows<
  StoredReport,
  { data_source_id: string; description: string | null; content: string }
>({
  name: 'report',
  ownColumns: ['data_source_id', 'description', 'content'],
  toOwn: ({ content }) => ({
    data_source_id: content.dataSourceId,
    description: content.description ?? null,
    content: JSON.stringify(content),
  }),
  fromOwn: (record, { content }) => ({
    ...record,
    // Sound because every report belongs to an organization.
    organizationId: record.organizationId as string,
    content: parseContent(content),
  }),
});

interface ListParameters {
  organizationId: string;
  before: string;
  limit: number;
}

interface SearchParameters extends ListParameters {
  userId: string;
  dataSourceId: string | undefined;
  /** `none` for reports in no folder. */
  folderId: string | undefined;
  isOutside: true | undefined;
  /** A pattern for `like`, in lower case. */
  pattern: string | undefined;
}

const summaries = prepare((db, p: SearchParameters) => {
  let reports = db
    .selectFrom('reports')
    .select([
      'id',
      'organization_id as organizationId',
      'user_id as userId',
      'created_at as createdAt',
      'updated_at as updatedAt',
      'name',
      'description',
      'data_source_id as dataSourceId',
      visibleFolder('report', p.userId),
    ])
    .where('organization_id', '=', p.organizationId)
    .where('deleted_at', 'is', null)
    .where(mayOnRecordOfMember('report', 'report.view', p.userId))
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit);
  if (p.isOutside !== undefined) reports = reports.where('folder_id', 'is', null);
  else if (p.folderId !== undefined) reports = reports.where('folder_id', '=', p.folderId);
  if (p.dataSourceId !== undefined) reports = reports.where('data_source_id', '=', p.dataSourceId);
  if (p.pattern !== undefined)
    reports = reports.where(sql<boolean>`lower(name) like ${p.pattern} escape '!'`);
  return reports;
});

/** Returns the reports of a page that a member may see, newest first. */
export async function selectReports(
  reader: Reader,
  filter: { organizationId: string; userId: string; dataSourceId?: string; folderId?: string; q?: string },
  page: PageRequest,
): Promise<FirstRows<ReportSummary>> {
  const { organizationId, userId, dataSourceId, folderId, q } = filter;
  const pattern = q === undefined ? undefined : `%${q.toLowerCase().replaceAll(/[!%_]/g, '!$&')}%`;
  const range = { before: page.after ?? '~', limit: page.limit };
  const isOutside: true | undefined = folderId === 'none' ? true : undefined;
  const scope = { organizationId, userId, dataSourceId, folderId, isOutside };
  return mapRows(await reader.page(summaries, { ...scope, pattern, ...range }), toSummary);
}

interface SummaryRow {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly name: string;
  readonly description: string | null;
  readonly dataSourceId: string;
  readonly folderId?: string | null;
}

/** Returns a report as a list shows it. */
export function toSummary({ description, folderId, ...row }: SummaryRow): ReportSummary {
  return {
    id: row.id,
    organizationId: row.organizationId,
    userId: row.userId,
    name: row.name,
    ...(description !== null && { description }),
    dataSourceId: row.dataSourceId,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    ...(typeof folderId === 'string' && { folderId }),
  };
}

/** Returns a stored report as the API returns it. */
export const toReport = ({
  id,
  organizationId,
  userId,
  createdAt,
  updatedAt,
  content,
}: StoredReport): Report => ({ id, organizationId, userId, ...content, createdAt, updatedAt });
