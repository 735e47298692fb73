import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../paths.ts';
import { Page } from '../ui/Page.tsx';
import { dashboardQuery } from './dashboard-queries.ts';
import { DashboardGrid } from './DashboardGrid.tsx';

export function DashboardPage(): ReactNode {
  const { dashboardId } = useParams({ from: paths.dashboard });
  const { data } = useSuspenseQuery(dashboardQuery(dashboardId));
  return (
    <Page title={data.dashboard.name} size="full">
      <DashboardGrid widgets={data.dashboard.widgets}>{() => null}</DashboardGrid>
    </Page>
  );
}
