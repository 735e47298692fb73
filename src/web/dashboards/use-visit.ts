import { useEffect } from 'react';
import { call } from '../api.ts';

/** Puts a dashboard at the head of one's recent ones. That it cannot be is no reason to disturb who reads it. */
export function useVisit(dashboardId: string): void {
  useEffect(() => {
    call('PUT /api/dashboards/{dashboardId}/visit', { params: { dashboardId } }).catch(() => {});
  }, [dashboardId]);
}
