import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../app/api.ts';
import { listKey } from '../list/list-queries.ts';

/** Puts a dashboard at the head of one's recent ones. That it cannot be is no reason to disturb who reads it. */
export function useVisit(dashboardId: string): void {
  const client = useQueryClient();
  useEffect(() => {
    call('PUT /api/dashboards/{dashboardId}/visit', { params: { dashboardId } })
      .then(() =>
        Promise.all([
          client.invalidateQueries({ queryKey: listKey }),
          client.invalidateQueries({ queryKey: ['dashboards', 'palette'] }),
        ]),
      )
      .catch(() => {});
  }, [client, dashboardId]);
}
