import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DashboardListItem } from '#contract/dashboards/listing.ts';
import { paths } from '../../app/paths.ts';
import { ItemRowMenu } from '../../folders/ItemRowMenu.tsx';
import { DashboardMenuItems } from '../DashboardMenuItems.tsx';

/** The actions for a dashboard in a list. */
export function DashboardRowMenu({ dashboard }: { readonly dashboard: DashboardListItem }): ReactNode {
  const navigate = useNavigate();
  const go = (to: typeof paths.dashboard | typeof paths.dashboardEdit) =>
    void navigate({ to, params: { dashboardId: dashboard.id } });
  return (
    <ItemRowMenu
      kind="dashboard"
      item={dashboard}
      onOpen={() => go(paths.dashboard)}
      onEdit={() => go(paths.dashboardEdit)}
      more={(reason) => <DashboardMenuItems dashboard={dashboard} reason={reason} />}
    />
  );
}
