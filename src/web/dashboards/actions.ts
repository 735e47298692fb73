import { useMutation, useQueryClient } from '@tanstack/react-query';
import { t } from '#shared/language/messages.ts';
import { call } from '../app/api.ts';
import { notifyDone, notifyError } from '../ui/notifications/notify.ts';
import { notifyTrashed, refreshRecords } from '../ui/server-data/trash.ts';

/** A dashboard to copy; `organizationId: null` makes the copy private, and `folderId` is the folder of the copy. */
interface Copying {
  readonly id: string;
  readonly organizationId?: null;
  readonly folderId?: string;
}

/** Returns a function that duplicates a dashboard. */
export function useDuplicate(): (input: Copying) => void {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: ({ id, ...body }: Copying) =>
      call('POST /api/dashboards/{dashboardId}/duplicate', { params: { dashboardId: id }, body }),
    onSuccess: ({ name }) => {
      notifyDone(t('Created “{name}”.', { name }));
      return client.invalidateQueries({ queryKey: ['dashboards'] });
    },
    onError: notifyError,
  });
  return mutate;
}

/** Returns a function that deletes a dashboard and offers to undo it. `onDeleted` is called even if its page was closed. */
export function useDelete(
  onDeleted?: () => void,
): (dashboard: { readonly id: string; readonly name: string }) => void {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: async ({ id }: { readonly id: string; readonly name: string }) => {
      await call('DELETE /api/dashboards/{dashboardId}', { params: { dashboardId: id } });
    },
    onSuccess: (_, dashboard) => {
      onDeleted?.();
      notifyTrashed(client, 'dashboard', dashboard);
      return refreshRecords(client);
    },
    onError: notifyError,
  });
  return mutate;
}
