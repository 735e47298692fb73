import { sql } from 'kysely';
import type { AccessEntry } from '#contract/organizations/access-log.ts';
import type { AccessAction } from '#shared/access-actions.ts';
import { mapRows, type Page, type PageRequest, toPage } from '../base/paging.ts';
import { requireTimestamp } from '../base/times.ts';
import type { Reader } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

/** `from` and `to` are RFC 3339. */
export interface AccessFilter {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly actorId?: string | undefined;
  readonly action?: string | undefined;
  readonly subjectId?: string | undefined;
}

interface Asked extends AccessFilter {
  readonly organizationId: string;
  /** The last entry of the page before. */
  readonly beforeAt: string | undefined;
  readonly beforeId: string | undefined;
  readonly limit: number;
}

/** Each filter has an index that also has the time, so that none makes the database read what it leaves out. */
const list = prepare((db, p: Asked) => {
  let entries = db
    .selectFrom('access_entries as entry')
    .leftJoin('users', 'users.id', 'entry.actor_id')
    .leftJoin('dashboards', (join) =>
      join
        .onRef('dashboards.id', '=', 'entry.subject_id')
        .onRef('dashboards.organization_id', '=', 'entry.organization_id'),
    )
    .leftJoin('reports', (join) =>
      join
        .onRef('reports.id', '=', 'entry.subject_id')
        .onRef('reports.organization_id', '=', 'entry.organization_id'),
    )
    .leftJoin('data_sources', (join) =>
      join
        .onRef('data_sources.id', '=', 'entry.subject_id')
        .onRef('data_sources.organization_id', '=', 'entry.organization_id'),
    )
    .select([
      'entry.id',
      'entry.at',
      'entry.last_at as lastAt',
      'entry.action',
      'entry.count',
      'entry.actor_id as actorId',
      'users.email as actorEmail',
      'users.is_email_verified as isActorVerified',
      'entry.token_id as tokenId',
      'entry.link_id as linkId',
      'entry.subject_id as subjectId',
      sql<string | null>`coalesce(dashboards.name, reports.name, data_sources.name)`.as('subjectName'),
      'entry.details',
    ])
    .where('entry.organization_id', '=', p.organizationId)
    .orderBy('entry.at', 'desc')
    .orderBy('entry.id', 'desc')
    .limit(p.limit);
  const { beforeAt, beforeId } = p;
  if (beforeAt !== undefined && beforeId !== undefined) {
    entries = entries
      .where('entry.at', '<=', beforeAt)
      .where((where) => where.or([where('entry.at', '<', beforeAt), where('entry.id', '<', beforeId)]));
  }
  if (p.from !== undefined) entries = entries.where('entry.at', '>=', p.from);
  if (p.to !== undefined) entries = entries.where('entry.at', '<', p.to);
  if (p.actorId !== undefined) entries = entries.where('entry.actor_id', '=', p.actorId);
  if (p.action !== undefined) entries = entries.where('entry.action', '=', p.action);
  if (p.subjectId !== undefined) entries = entries.where('entry.subject_id', '=', p.subjectId);
  return entries;
});

/** The form of the key that a page ends with: the time and the ID of its last entry. */
export const accessKey = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [0-9a-f-]{36}$/;

/**
 * Lists who has read what in an organization, newest first. The caller checks that the reader may see it. Throws
 * `invalid_parameters` for a time that doesn't exist, such as the 30th of February.
 */
export async function listAccessEntries(
  reader: Reader,
  organizationId: string,
  { from, to, ...filter }: AccessFilter,
  page: PageRequest,
): Promise<Page<AccessEntry>> {
  const [beforeAt, beforeId] = page.after?.split(' ') ?? [];
  const rows = await reader.page(list, {
    ...filter,
    organizationId,
    from: from === undefined ? undefined : requireTimestamp('from', from),
    to: to === undefined ? undefined : requireTimestamp('to', to),
    beforeAt,
    beforeId,
    limit: page.limit,
  });
  return toPage(mapRows(rows, toEntry), (entry) => `${entry.at} ${entry.id}`);
}

interface Row {
  readonly id: string;
  readonly at: string;
  readonly lastAt: string;
  readonly action: string;
  readonly count: number;
  readonly actorId: string | null;
  readonly actorEmail: string | null;
  readonly isActorVerified: number | null;
  readonly tokenId: string | null;
  readonly linkId: string | null;
  readonly subjectId: string | null;
  readonly subjectName: string | null;
  readonly details: string;
}

const toEntry = (row: Row): AccessEntry => ({
  id: row.id,
  at: row.at,
  lastAt: row.lastAt,
  // Sound because only the access log writes the columns.
  action: row.action as AccessAction,
  count: row.count,
  ...(row.actorId !== null && { actorId: row.actorId }),
  ...(row.actorEmail !== null && { actorEmail: row.actorEmail }),
  ...(row.isActorVerified === 0 && { actorEmailVerified: false }),
  ...(row.tokenId !== null && { tokenId: row.tokenId }),
  ...(row.linkId !== null && { linkId: row.linkId }),
  ...(row.subjectId !== null && { subjectId: row.subjectId }),
  ...(row.subjectName !== null && { subjectName: row.subjectName }),
  details: JSON.parse(row.details) as Record<string, unknown>,
});
