import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../app/api.ts';
import { notifyError } from '../ui/notifications/notify.ts';
import { changeItems, isStarredLinks, listKey, starredQuery, type ListPages } from './list/queries.ts';

/** Returns a function that stars or unstars a dashboard, shown everywhere before the server has responded. */
export function useStar(dashboardId: string): (isStarred: boolean) => void {
  const client = useQueryClient();
  const show = (isStarred: boolean) => {
    client.setQueriesData<ListPages>({ queryKey: listKey }, (pages) =>
      changeItems(pages, (item) => (item.id === dashboardId ? { ...item, isStarred } : item)),
    );
    client.setQueryData(starredQuery.queryKey, (ids) => {
      const others = ids?.filter((id) => id !== dashboardId);
      return isStarred ? others?.concat(dashboardId) : others;
    });
  };
  const { mutate } = useMutation({
    mutationFn: (isStarred: boolean) =>
      call(
        isStarred ? 'PUT /api/dashboards/{dashboardId}/star' : 'DELETE /api/dashboards/{dashboardId}/star',
        {
          params: { dashboardId },
        },
      ),
    onMutate: async (isStarred) => {
      await Promise.all([
        client.cancelQueries({ queryKey: listKey }),
        client.cancelQueries({ queryKey: starredQuery.queryKey }),
      ]);
      show(isStarred);
    },
    onError: (error, isStarred) => {
      show(!isStarred);
      notifyError(error);
    },
    // The visible list isn't refetched: a row that lost its star stays, so that it can be starred again.
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: listKey, refetchType: 'none' });
      await client.refetchQueries({ queryKey: listKey, type: 'active', predicate: isStarredLinks });
    },
  });
  return mutate;
}
