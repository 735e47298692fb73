import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api.ts';
import { notifyError } from '../ui/notify.ts';
import { changeItems, listKey, type ListPages } from './dashboard-list-queries.ts';

/** Returns what gives a dashboard its star or takes it, shown in the lists before the server has answered. */
export function useStar(dashboardId: string): (isStarred: boolean) => void {
  const client = useQueryClient();
  const show = (isStarred: boolean) =>
    client.setQueriesData<ListPages>({ queryKey: listKey }, (pages) =>
      changeItems(pages, (item) => (item.id === dashboardId ? { ...item, isStarred } : item)),
    );
  const { mutate } = useMutation({
    mutationFn: (isStarred: boolean) =>
      call(
        isStarred ? 'PUT /api/dashboards/{dashboardId}/star' : 'DELETE /api/dashboards/{dashboardId}/star',
        {
          params: { dashboardId },
        },
      ),
    onMutate: async (isStarred) => {
      await client.cancelQueries({ queryKey: listKey });
      show(isStarred);
    },
    onError: (error, isStarred) => {
      show(!isStarred);
      notifyError(error);
    },
  });
  return mutate;
}
