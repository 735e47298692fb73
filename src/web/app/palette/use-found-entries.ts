import { IconChartBar, IconLayoutDashboard } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { t } from '#shared/language/messages.ts';
import { call } from '../api.ts';
import { paths } from '../paths.ts';
import { organizationsQuery } from '../../ui/server-data/session.ts';
import { useFolders } from '../../ui/folders/queries.ts';
import { pathText } from '../../ui/folders/tree.ts';
import type { PaletteEntry } from './entries.ts';

const most = '8';

/**
 * Returns the dashboards of all your organizations and the reports of this one that match a search; without a search, the
 * dashboards you opened last. A search is aborted when the next one starts.
 */
export function useFoundEntries(
  orgId: string | undefined,
  search: string,
): { readonly entries: readonly PaletteEntry[]; readonly isFetching: boolean; readonly error: Error | null } {
  const navigate = useNavigate();
  const { data: organizations = [] } = useQuery(organizationsQuery);
  const { data: folders = [] } = useFolders(orgId);
  const q = search.trim().slice(0, 200);
  const dashboards = useQuery({
    queryKey: ['dashboards', 'palette', q],
    queryFn: ({ signal }) => {
      const query = q === '' ? { filter: 'recent' as const, limit: '5' } : { q, limit: most };
      return call('GET /api/dashboards', { query, signal });
    },
    placeholderData: keepPreviousData,
  });
  const reports = useQuery({
    queryKey: ['reports', 'palette', orgId, q],
    queryFn: ({ signal }) =>
      call('GET /api/reports', { query: { organizationId: orgId ?? '', q, limit: most }, signal }),
    enabled: orgId !== undefined && q !== '',
    placeholderData: keepPreviousData,
  });
  /** The path of its folder in this organization, or the name of another one. */
  const placeOf = (organizationId: string | undefined, folderId: string | undefined) =>
    organizationId === orgId
      ? pathText(folders, folderId) || undefined
      : (organizations.find(({ id }) => id === organizationId)?.name ?? t('Private'));
  const entries: PaletteEntry[] = [
    ...(dashboards.data?.items ?? []).map(({ id, name, organizationId, folderId }) => ({
      id,
      group: q === '' ? t('Recent') : t('Dashboards'),
      label: name,
      detail: placeOf(organizationId, folderId),
      icon: IconLayoutDashboard,
      run: () => void navigate({ to: paths.dashboard, params: { dashboardId: id } }),
    })),
    ...(q === '' ? [] : (reports.data?.items ?? [])).map(({ id, name, folderId }) => ({
      id,
      group: t('Reports'),
      label: name,
      detail: placeOf(orgId, folderId),
      icon: IconChartBar,
      run: () => void navigate({ to: paths.report, params: { reportId: id } }),
    })),
  ];
  return {
    entries,
    isFetching: dashboards.isFetching || reports.isFetching,
    error: dashboards.error ?? reports.error,
  };
}
