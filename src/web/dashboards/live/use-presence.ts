import { useEffect } from 'react';
import { call } from '../../app/api.ts';

const intervalMs = 12_000;

/** Reports to the server that you are editing, while the page is open and visible, and when you have left. */
export function usePresence(dashboardId: string): void {
  useEffect(() => {
    const params = { dashboardId };
    const reportEditing = () => {
      if (document.visibilityState === 'visible') {
        call('PUT /api/dashboards/{dashboardId}/editing', { params }).catch(ignore);
      }
    };
    const reportLeft = () =>
      void call('DELETE /api/dashboards/{dashboardId}/editing', { params }).catch(ignore);
    reportEditing();
    const timer = setInterval(reportEditing, intervalMs);
    document.addEventListener('visibilitychange', reportEditing);
    window.addEventListener('pagehide', reportLeft);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', reportEditing);
      window.removeEventListener('pagehide', reportLeft);
      reportLeft();
    };
  }, [dashboardId]);
}

/** A lost report does no harm: the next one follows soon, and a save shows if something is wrong. */
const ignore = (): void => {};
