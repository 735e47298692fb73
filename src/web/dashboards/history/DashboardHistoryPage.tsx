import { Button } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { HistoryPage } from '../../history/HistoryPage.tsx';
import { Waiting } from '../../ui/page/Waiting.tsx';
import { dashboardQuery } from '../queries.ts';
import { NotAnEditor } from '../edit/NotAnEditor.tsx';
import { useReportNames } from '../results/use-report-names.ts';
import { permissionsQuery } from '../../sharing/queries.ts';
import { withReportNames } from './change-text.ts';
import { LayoutPreview } from './LayoutPreview.tsx';

/** The history of a dashboard. */
export function DashboardHistoryPage(): ReactNode {
  const { dashboardId } = useParams({ from: paths.dashboardHistory });
  const { dashboard } = useSuspenseQuery(dashboardQuery(dashboardId)).data;
  const { data: permissions } = useQuery(permissionsQuery({ kind: 'dashboard', id: dashboardId }));
  const nameOfReport = useReportNames(dashboard.organizationId);
  return (
    <HistoryPage
      name={dashboard.name}
      actions={
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to={paths.dashboard} params={{ dashboardId }} />}
        >
          {t('Back to dashboard')}
        </Button>
      }
      replacement={
        permissions === undefined ? (
          <Waiting height={320} />
        ) : permissions.access === 'view' ? (
          <NotAnEditor dashboardId={dashboardId} title={t("You can't see the history of this dashboard")} />
        ) : undefined
      }
      record={{ kind: 'dashboard', id: dashboardId }}
      path={paths.dashboardHistory}
      summaryOf={(change) => withReportNames(change, nameOfReport)}
      preview={({ widgets }) => <LayoutPreview widgets={widgets} nameOfReport={nameOfReport} />}
    />
  );
}
