import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../app/api.ts';
import { listKey } from '../list/queries.ts';

/** Adds a dashboard to your recent ones. A failure isn't reported, because it would only disturb people who are reading. */
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
