import { Skeleton, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { sessionQuery } from '../../ui/server-data/session.ts';
import { DashboardEditor } from './DashboardEditor.tsx';
import { dashboardQuery } from '../queries.ts';
import { dropDraft } from '../../drafts/storage.ts';
import { dashboardDrafts } from './draft/kind.ts';
import { NotAnEditor } from './NotAnEditor.tsx';
import { permissionsQuery } from '../../sharing/queries.ts';

/** The editor of a dashboard, for people who can edit it. */
export function DashboardEditPage(): ReactNode {
  const { dashboardId } = useParams({ from: paths.dashboardEdit });
  const client = useQueryClient();
  const { data: signedIn } = useQuery(sessionQuery);
  const permissions = useQuery(permissionsQuery({ kind: 'dashboard', id: dashboardId }));
  // Under a separate key: what others save during an edit is merged, and must not restart the edit.
  const start = useQuery({
    ...dashboardQuery(dashboardId),
    queryKey: ['editing', dashboardId],
    staleTime: Infinity,
    gcTime: 0,
  });
  const error = start.error ?? permissions.error;
  if (error !== null && start.data === undefined) {
    const retry = () => void Promise.all([start.refetch(), permissions.refetch()]);
    return (
      <Page title={t('Edit dashboard')}>
        <Failure error={error} retry={retry} />
      </Page>
    );
  }
  if (start.data === undefined || permissions.data === undefined || signedIn === undefined) {
    return (
      <Stack aria-busy aria-label={t('Loading')}>
        <Skeleton h={36} />
        <Skeleton h={420} />
      </Stack>
    );
  }
  if (permissions.data.access === 'view') {
    return (
      <Page title={start.data.dashboard.name}>
        <NotAnEditor dashboardId={dashboardId} title={t('You can view this dashboard, but not edit it')} />
      </Page>
    );
  }
  const userId = signedIn.user.id;
  const discard = () => {
    dropDraft(localStorage, dashboardDrafts, { userId, recordId: dashboardId });
    void client.resetQueries({ queryKey: ['editing', dashboardId] });
  };
  return <DashboardEditor key={dashboardId} saved={start.data} userId={userId} onDiscard={discard} />;
}
