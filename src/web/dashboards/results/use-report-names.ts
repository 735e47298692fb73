import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { t } from '#shared/language/messages.ts';
import { organizationsQuery } from '../../ui/server-data/session.ts';
import { reportNamesQuery } from '../edit/widget/report-choice-queries.ts';

/**
 * Returns a function that returns the name of a report. A dashboard of an organization shows only reports of that
 * organization; a private dashboard can show reports of all your organizations.
 */
export function useReportNames(organizationId: string | undefined): (reportId: string) => string {
  const { data: organizations } = useQuery(organizationsQuery);
  const places = organizationId === undefined ? organizations?.map(({ id }) => id) : [organizationId];
  const { data: names, isFetching } = useQuery({
    ...reportNamesQuery(places ?? []),
    enabled: places !== undefined,
  });
  return useCallback(
    (reportId: string) =>
      names?.get(reportId) ?? (names === undefined || isFetching ? t('Report') : t('Unknown report')),
    [names, isFetching],
  );
}
