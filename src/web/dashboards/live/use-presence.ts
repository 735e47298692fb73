import { useEffect } from 'react';
import { call } from '../../app/api.ts';

const everyMs = 12_000;

/** Says that one is editing, for as long as the page is open and seen; and that one has left. */
export function usePresence(dashboardId: string): void {
  useEffect(() => {
    const params = { dashboardId };
    const sayHere = () => {
      if (document.visibilityState === 'visible') {
        call('PUT /api/dashboards/{dashboardId}/editing', { params }).catch(ignore);
      }
    };
    const sayGone = () => void call('DELETE /api/dashboards/{dashboardId}/editing', { params }).catch(ignore);
    sayHere();
    const timer = setInterval(sayHere, everyMs);
    document.addEventListener('visibilitychange', sayHere);
    window.addEventListener('pagehide', sayGone);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', sayHere);
      window.removeEventListener('pagehide', sayGone);
      sayGone();
    };
  }, [dashboardId]);
}

/** A word that does not arrive harms nothing: it is said again, and a save tells what is wrong. */
const ignore = (): void => {};
