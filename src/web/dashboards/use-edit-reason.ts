import { useQuery } from '@tanstack/react-query';
import { permissionsQuery } from './share/sharing-queries.ts';

/** Returns why you may not edit a dashboard; undefined when you may, and as long as it is not known; asked once `isAsked`. */
export function useEditReason(dashboardId: string, isAsked = true): string | undefined {
  const { data } = useQuery({ ...permissionsQuery(dashboardId), enabled: isAsked });
  return data?.access === 'view' ? 'You can view this dashboard, but not edit it.' : undefined;
}
