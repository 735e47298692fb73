import type {
  AccessExplanation,
  RecordAccess,
  RecordAccessInput,
  RecordPermissions,
} from '#contract/sharing.ts';
import type { ShareLevel } from '#shared/permissions.ts';
import { call } from '../app/api.ts';
import type { Shares } from './grantees.ts';

/** A record that can be shared. */
export interface SharedRecord {
  readonly kind: 'dashboard' | 'report' | 'data_source';
  readonly id: string;
  /** Its owner. */
  readonly userId?: string;
  /** Undefined if it is personal. */
  readonly organizationId?: string;
}

/** A record that can be transferred to another owner. */
export interface OwnedRecord extends SharedRecord {
  readonly kind: 'dashboard' | 'report';
  readonly userId: string;
}

export const isOwned = (record: SharedRecord): record is OwnedRecord =>
  record.kind !== 'data_source' && record.userId !== undefined;

type Key = Pick<SharedRecord, 'kind' | 'id'>;

interface Words {
  /** The first part of the keys of the queries of a kind. */
  readonly noun: string;
  /** As in "this dashboard". */
  readonly name: string;
  readonly levels: readonly { readonly value: ShareLevel; readonly label: string }[];
  /** What people get at first. */
  readonly firstLevel: ShareLevel;
  readonly whenRestricted: string;
  readonly whenOpen: string;
}

const content = {
  levels: [
    { value: 'view', label: 'Can view' },
    { value: 'edit', label: 'Can edit' },
  ],
  firstLevel: 'view',
  whenRestricted: 'Its owner and the admins of the organization can also open it.',
  whenOpen: 'All members of the organization can open it, and its editors can edit it.',
} as const;

/** What differs between the kinds. */
export const wordsOf: Readonly<Record<SharedRecord['kind'], Words>> = {
  dashboard: { noun: 'dashboards', name: 'dashboard', ...content },
  report: { noun: 'reports', name: 'report', ...content },
  data_source: {
    noun: 'data-sources',
    name: 'data source',
    levels: [
      { value: 'view', label: 'Can see' },
      { value: 'use', label: 'Can query' },
      { value: 'edit', label: 'Can edit' },
    ],
    firstLevel: 'use',
    whenRestricted:
      'Its owner and the admins of the organization can also query it. Reports that use it still run for everyone who can open them.',
    whenOpen: 'All members of the organization can see it, and its editors can query it.',
  },
};

/** Returns the key of everything that is known about a record. */
export const keyOf = ({ kind, id }: Key): readonly [string, string] => [wordsOf[kind].noun, id];

export function readPermissions({ kind, id }: Key, signal: AbortSignal): Promise<RecordPermissions> {
  if (kind === 'dashboard')
    return call('GET /api/dashboards/{dashboardId}/permissions', { params: { dashboardId: id }, signal });
  if (kind === 'report')
    return call('GET /api/reports/{reportId}/permissions', { params: { reportId: id }, signal });
  return call('GET /api/data-sources/{dataSourceId}/permissions', { params: { dataSourceId: id }, signal });
}

export function readAccess({ kind, id }: Key, signal: AbortSignal): Promise<RecordAccess> {
  if (kind === 'dashboard')
    return call('GET /api/dashboards/{dashboardId}/access', { params: { dashboardId: id }, signal });
  if (kind === 'report')
    return call('GET /api/reports/{reportId}/access', { params: { reportId: id }, signal });
  return call('GET /api/data-sources/{dataSourceId}/access', { params: { dataSourceId: id }, signal });
}

export function saveAccess({ kind, id }: Key, shares: Shares): Promise<RecordAccess> {
  if (kind === 'data_source')
    return call('PUT /api/data-sources/{dataSourceId}/access', {
      params: { dataSourceId: id },
      body: shares,
    });
  // Sound because only the levels of data sources have `use`.
  const body = shares as RecordAccessInput;
  return kind === 'dashboard'
    ? call('PUT /api/dashboards/{dashboardId}/access', { params: { dashboardId: id }, body })
    : call('PUT /api/reports/{reportId}/access', { params: { reportId: id }, body });
}

export function readExplanation(
  { kind, id }: Key,
  userId: string,
  signal: AbortSignal,
): Promise<AccessExplanation> {
  if (kind === 'dashboard')
    return call('GET /api/dashboards/{dashboardId}/access/{userId}', {
      params: { dashboardId: id, userId },
      signal,
    });
  if (kind === 'report')
    return call('GET /api/reports/{reportId}/access/{userId}', { params: { reportId: id, userId }, signal });
  return call('GET /api/data-sources/{dataSourceId}/access/{userId}', {
    params: { dataSourceId: id, userId },
    signal,
  });
}

export const transferTo = ({ kind, id }: OwnedRecord, userId: string): Promise<unknown> =>
  kind === 'dashboard'
    ? call('POST /api/dashboards/{dashboardId}/transfer', { params: { dashboardId: id }, body: { userId } })
    : call('POST /api/reports/{reportId}/transfer', { params: { reportId: id }, body: { userId } });
