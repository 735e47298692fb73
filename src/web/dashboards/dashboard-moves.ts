import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../app/api.ts';
import { notifyDone, notifyError } from '../ui/notify.ts';
import { notifyDeleted } from '../ui/notify-undo.tsx';

/** Returns what makes a copy of a dashboard; `organizationId: null` puts it among one's own. */
export function useDuplicate(): (input: { readonly id: string; readonly organizationId?: null }) => void {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: ({ id, ...body }: { readonly id: string; readonly organizationId?: null }) =>
      call('POST /api/dashboards/{dashboardId}/duplicate', { params: { dashboardId: id }, body }),
    onSuccess: ({ name }) => {
      notifyDone(`“${name}” is there.`);
      return client.invalidateQueries({ queryKey: ['dashboards'] });
    },
    onError: notifyError,
  });
  return mutate;
}

/** Returns what puts a dashboard into the bin, and offers to take it back. `onDeleted` is called also when its page has gone. */
export function useDelete(
  onDeleted?: () => void,
): (dashboard: { readonly id: string; readonly name: string }) => void {
  const client = useQueryClient();
  const readAnew = () =>
    Promise.all(['dashboards', 'bin'].map((key) => client.invalidateQueries({ queryKey: [key] })));
  const { mutate } = useMutation({
    mutationFn: async ({ id }: { readonly id: string; readonly name: string }) => {
      await call('DELETE /api/dashboards/{dashboardId}', { params: { dashboardId: id } });
    },
    onSuccess: (_, { id, name }) => {
      onDeleted?.();
      notifyDeleted(id, `“${name}” is in the bin, for 30 days.`, async () => {
        await call('POST /api/bin/dashboards/{dashboardId}/restore', { params: { dashboardId: id } });
        await readAnew();
      });
      return readAnew();
    },
    onError: notifyError,
  });
  return mutate;
}
