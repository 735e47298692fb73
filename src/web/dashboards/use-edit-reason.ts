import { useQuery } from '@tanstack/react-query';
import { permissionsQuery } from './share/queries.ts';

/** Returns why you can't edit a dashboard; undefined when you can, or while it loads, which starts once `isEnabled`. */
export function useEditReason(dashboardId: string, isEnabled = true): string | undefined {
  const { data } = useQuery({ ...permissionsQuery(dashboardId), enabled: isEnabled });
  return data?.access === 'view' ? 'You can view this dashboard, but not edit it.' : undefined;
}
