import type { QueryClient } from '@tanstack/react-query';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { notifyDeleted } from '../notifications/notify-deleted.tsx';

/** The kinds of records that have versions, drafts and a place in the trash. */
export type RecordKind = 'dashboard' | 'report';

/** A deleted record. */
export interface Deleted {
  readonly id: string;
  readonly name: string;
  readonly userId: string;
  readonly deletedAt: string;
  readonly deletedByName: string;
  readonly purgeAt: string;
  readonly organizationId?: string;
}

interface Trash {
  list(
    query: { readonly organizationId?: string; readonly limit?: string; readonly cursor?: string },
    signal: AbortSignal,
  ): Promise<{ readonly items: readonly Deleted[]; readonly nextCursor?: string }>;
  restore(id: string): Promise<unknown>;
  purge(id: string): Promise<unknown>;
}

/** The trash of each kind. */
export const trashOf: Readonly<Record<RecordKind, Trash>> = {
  dashboard: {
    list: (query, signal) => call('GET /api/trash/dashboards', { query, signal }),
    restore: (id) => call('POST /api/trash/dashboards/{id}/restore', { params: { id } }),
    purge: (id) => call('DELETE /api/trash/dashboards/{id}', { params: { id } }),
  },
  report: {
    list: (query, signal) => call('GET /api/trash/reports', { query, signal }),
    restore: (id) => call('POST /api/trash/reports/{id}/restore', { params: { id } }),
    purge: (id) => call('DELETE /api/trash/reports/{id}', { params: { id } }),
  },
};

/** Reads again what a deletion or a restored record changes: the lists, the trash, and dashboards that show a report. */
export const refreshRecords = (client: QueryClient): Promise<unknown> =>
  Promise.all(['trash', 'dashboards', 'reports'].map((key) => client.invalidateQueries({ queryKey: [key] })));

/** Reports that a record was deleted, and offers to undo it. */
export function notifyTrashed(
  client: QueryClient,
  kind: RecordKind,
  { id, name }: Pick<Deleted, 'id' | 'name'>,
): void {
  notifyDeleted(id, t('Moved “{name}” to the trash. You can restore it for 30 days.', { name }), async () => {
    await trashOf[kind].restore(id);
    await refreshRecords(client);
  });
}
