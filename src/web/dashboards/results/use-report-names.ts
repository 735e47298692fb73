import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { organizationsQuery } from '../../ui/server-data/session.ts';
import { reportNamesQuery } from '../edit/widget/report-choice-queries.ts';

/**
 * Returns what says how a report is called. A dashboard of an organization shows its reports; one of one's own, those of
 * any organization that one is in.
 */
export function useReportNames(organizationId: string | undefined): (reportId: string) => string {
  const { data: organizations } = useQuery(organizationsQuery);
  const places = organizationId === undefined ? organizations?.map(({ id }) => id) : [organizationId];
  const { data: names } = useQuery({ ...reportNamesQuery(places ?? []), enabled: places !== undefined });
  return useCallback(
    (reportId: string) => names?.get(reportId) ?? (names === undefined ? 'Report' : 'Unknown report'),
    [names],
  );
}
