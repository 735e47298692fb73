import type { RecordAccess, RecordAccessInput, RecordPermissions } from '#contract/sharing.ts';
import { call } from '../app/api.ts';

/** A record that can be shared. */
export interface SharedRecord {
  readonly kind: 'dashboard' | 'report';
  readonly id: string;
  /** Its owner. */
  readonly userId: string;
  /** Undefined if it is personal. */
  readonly organizationId?: string;
}

type Key = Pick<SharedRecord, 'kind' | 'id'>;

/** The first part of the keys of the queries of a kind. */
const nouns = { dashboard: 'dashboards', report: 'reports' } as const;

/** Returns the key of everything that is known about a record. */
export const keyOf = ({ kind, id }: Key): readonly [string, string] => [nouns[kind], id];

export const readPermissions = ({ kind, id }: Key, signal: AbortSignal): Promise<RecordPermissions> =>
  kind === 'dashboard'
    ? call('GET /api/dashboards/{dashboardId}/permissions', { params: { dashboardId: id }, signal })
    : call('GET /api/reports/{reportId}/permissions', { params: { reportId: id }, signal });

export const readAccess = ({ kind, id }: Key, signal: AbortSignal): Promise<RecordAccess> =>
  kind === 'dashboard'
    ? call('GET /api/dashboards/{dashboardId}/access', { params: { dashboardId: id }, signal })
    : call('GET /api/reports/{reportId}/access', { params: { reportId: id }, signal });

export const saveAccess = ({ kind, id }: Key, body: RecordAccessInput): Promise<RecordAccess> =>
  kind === 'dashboard'
    ? call('PUT /api/dashboards/{dashboardId}/access', { params: { dashboardId: id }, body })
    : call('PUT /api/reports/{reportId}/access', { params: { reportId: id }, body });

export const transferTo = ({ kind, id }: Key, userId: string): Promise<unknown> =>
  kind === 'dashboard'
    ? call('POST /api/dashboards/{dashboardId}/transfer', { params: { dashboardId: id }, body: { userId } })
    : call('POST /api/reports/{reportId}/transfer', { params: { reportId: id }, body: { userId } });
