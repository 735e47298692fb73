import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../app/api.ts';
import { notifyError } from '../ui/notify.ts';
import { changeItems, listKey, type ListPages } from './list/list-queries.ts';
import { starredQuery } from './list/starred-queries.ts';

/** Returns what gives a dashboard its star or takes it, shown everywhere before the server has answered. */
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
    // Not the list that one looks at: a row whose star was taken stays, to give it back.
    onSettled: () => client.invalidateQueries({ queryKey: listKey, refetchType: 'none' }),
  });
  return mutate;
}
