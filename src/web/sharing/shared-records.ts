import type {
  AccessExplanation,
  RecordAccess,
  RecordAccessInput,
  RecordPermissions,
} from '#contract/records/sharing.ts';
import { t } from '#shared/language/messages.ts';
import type { ShareLevel } from '#shared/permissions.ts';
import { call } from '../app/api.ts';
import type { Shares } from './grantees.ts';

/** A record that can be shared. */
export interface SharedRecord {
  readonly kind: 'dashboard' | 'report' | 'data_source' | 'folder';
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
  (record.kind === 'dashboard' || record.kind === 'report') && record.userId !== undefined;

type Key = Pick<SharedRecord, 'kind' | 'id'>;

interface Words {
  /** The first part of the keys of the queries of a kind. */
  readonly noun: string;
  /** Returns who can open the link to a record. */
  readonly whoCanOpen: (organization: string) => string;
  /** What people can do who don't see who else has access. */
  readonly youCan: { readonly view: string; readonly use: string };
  /** Why people who can only view a record can't edit it. */
  readonly viewOnly: string;
  /** Returns that a member has no access. */
  readonly noAccess: (name: string) => string;
  /** Returns what a member can do, before the reasons. */
  readonly can: Readonly<Record<RecordPermissions['access'], (name: string) => string>>;
  readonly levels: readonly { readonly value: ShareLevel; readonly label: string }[];
  /** What people get at first. */
  readonly firstLevel: ShareLevel;
  readonly whenRestricted: string;
  readonly whenOpen: string;
}

const content = {
  levels: [
    { value: 'view', label: t('Can view') },
    { value: 'edit', label: t('Can edit') },
  ],
  firstLevel: 'view',
  whenRestricted: t('Its owner and the admins of the organization can also open it.'),
  whenOpen: t('All members of the organization can open it, and its editors can edit it.'),
} as const;

/** What differs between the kinds. */
export const wordsOf: Readonly<Record<SharedRecord['kind'], Words>> = {
  dashboard: {
    noun: 'dashboards',
    whoCanOpen: (organization) =>
      t('Members of {organization} with access to this dashboard can open it. Invite other people first.', {
        organization,
      }),
    youCan: { view: t('You can view this dashboard.'), use: t('You can query this dashboard.') },
    viewOnly: t('You can view this dashboard, but not edit it.'),
    noAccess: (name) =>
      t('{name} has no access: the dashboard is restricted, and isn’t shared with them or their groups.', {
        name,
      }),
    can: {
      view: (name) => t('{name} can see this dashboard:', { name }),
      use: (name) => t('{name} can query this dashboard:', { name }),
      edit: (name) => t('{name} can edit this dashboard:', { name }),
      manage: (name) => t('{name} can edit and share this dashboard:', { name }),
    },
    ...content,
  },
  report: {
    noun: 'reports',
    whoCanOpen: (organization) =>
      t('Members of {organization} with access to this report can open it. Invite other people first.', {
        organization,
      }),
    youCan: { view: t('You can view this report.'), use: t('You can query this report.') },
    viewOnly: t('You can view this report, but not edit it.'),
    noAccess: (name) =>
      t('{name} has no access: the report is restricted, and isn’t shared with them or their groups.', {
        name,
      }),
    can: {
      view: (name) => t('{name} can see this report:', { name }),
      use: (name) => t('{name} can query this report:', { name }),
      edit: (name) => t('{name} can edit this report:', { name }),
      manage: (name) => t('{name} can edit and share this report:', { name }),
    },
    ...content,
  },
  folder: {
    noun: 'folders',
    whoCanOpen: (organization) =>
      t('Members of {organization} with access to this folder can open it. Invite other people first.', {
        organization,
      }),
    youCan: { view: t('You can view this folder.'), use: t('You can view this folder.') },
    viewOnly: t('You can view this folder, but not edit it.'),
    noAccess: (name) =>
      t('{name} has no access: the folder is restricted, and isn’t shared with them or their groups.', {
        name,
      }),
    can: {
      view: (name) => t('{name} can see this folder:', { name }),
      use: (name) => t('{name} can see this folder:', { name }),
      edit: (name) => t('{name} can edit this folder:', { name }),
      manage: (name) => t('{name} can edit and share this folder:', { name }),
    },
    ...content,
    whenRestricted: t(
      'Its owner and the admins of the organization can also open it. Everything in it is hidden from others.',
    ),
    whenOpen: t(
      'All members of the organization can open it, and its editors can edit it. Access applies to everything in it.',
    ),
  },
  data_source: {
    noun: 'data-sources',
    whoCanOpen: (organization) =>
      t('Members of {organization} with access to this data source can open it. Invite other people first.', {
        organization,
      }),
    youCan: { view: t('You can view this data source.'), use: t('You can query this data source.') },
    viewOnly: t('You can view this data source, but not edit it.'),
    noAccess: (name) =>
      t('{name} has no access: the data source is restricted, and isn’t shared with them or their groups.', {
        name,
      }),
    can: {
      view: (name) => t('{name} can see this data source:', { name }),
      use: (name) => t('{name} can query this data source:', { name }),
      edit: (name) => t('{name} can edit this data source:', { name }),
      manage: (name) => t('{name} can edit and share this data source:', { name }),
    },
    levels: [
      { value: 'view', label: t('Can see') },
      { value: 'use', label: t('Can query') },
      { value: 'edit', label: t('Can edit') },
    ],
    firstLevel: 'use',
    whenRestricted: t(
      'Its owner and the admins of the organization can also query it. Reports that use it still run for everyone who can open them.',
    ),
    whenOpen: t('All members of the organization can see it, and its editors can query it.'),
  },
};

/** Returns the key of everything that is known about a record. */
export const keyOf = ({ kind, id }: Key): readonly [string, string] => [wordsOf[kind].noun, id];

export function readPermissions(
  { kind, id }: Key,
  signal: AbortSignal,
): Promise<Pick<RecordPermissions, 'access' | 'folderId'>> {
  if (kind === 'dashboard')
    return call('GET /api/dashboards/{dashboardId}/permissions', { params: { dashboardId: id }, signal });
  if (kind === 'report')
    return call('GET /api/reports/{reportId}/permissions', { params: { reportId: id }, signal });
  if (kind === 'folder') return call('GET /api/folders/{folderId}', { params: { folderId: id }, signal });
  return call('GET /api/data-sources/{dataSourceId}/permissions', { params: { dataSourceId: id }, signal });
}

export function readAccess({ kind, id }: Key, signal: AbortSignal): Promise<RecordAccess> {
  if (kind === 'dashboard')
    return call('GET /api/dashboards/{dashboardId}/access', { params: { dashboardId: id }, signal });
  if (kind === 'report')
    return call('GET /api/reports/{reportId}/access', { params: { reportId: id }, signal });
  if (kind === 'folder')
    return call('GET /api/folders/{folderId}/access', { params: { folderId: id }, signal });
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
  if (kind === 'folder')
    return call('PUT /api/folders/{folderId}/access', { params: { folderId: id }, body });
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
  if (kind === 'folder')
    return call('GET /api/folders/{folderId}/access/{userId}', { params: { folderId: id, userId }, signal });
  return call('GET /api/data-sources/{dataSourceId}/access/{userId}', {
    params: { dataSourceId: id, userId },
    signal,
  });
}

export const transferTo = ({ kind, id }: OwnedRecord, userId: string): Promise<unknown> =>
  kind === 'dashboard'
    ? call('POST /api/dashboards/{dashboardId}/transfer', { params: { dashboardId: id }, body: { userId } })
    : call('POST /api/reports/{reportId}/transfer', { params: { reportId: id }, body: { userId } });
