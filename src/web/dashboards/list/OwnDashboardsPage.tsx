import { Button } from '@mantine/core';
import { IconLayoutDashboard, IconPlus } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../app/paths.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';
import type { ListSearch } from './search.ts';
import { DashboardList } from './DashboardList.tsx';
import { NewDashboardDialog } from './NewDashboardDialog.tsx';

/** One's own dashboards that belong to no organization. */
export function OwnDashboardsPage(): ReactNode {
  const { open, ...search } = useSearch({ from: paths.ownDashboards });
  const navigate = useNavigate();
  const show = (next: ListSearch) => void navigate({ to: paths.ownDashboards, search: next, replace: true });
  const make = () => show({ ...search, open: 'new' });
  const button = (
    <Button leftSection={<IconPlus size={16} />} onClick={make}>
      New dashboard
    </Button>
  );
  return (
    <Page
      title="My own dashboards"
      description="Of no organization: nobody but you sees them."
      actions={button}
    >
      <DashboardList
        search={search}
        onSearch={show}
        whenNone={
          <EmptyState icon={IconLayoutDashboard} title="You have none yet">
            Make one, or duplicate a dashboard of an organization to try something out: only you will see it.
          </EmptyState>
        }
      />
      <NewDashboardDialog opened={open === 'new'} onClose={() => show(search)} />
    </Page>
  );
}
