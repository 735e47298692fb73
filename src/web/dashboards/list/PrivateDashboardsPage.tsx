import { Button } from '@mantine/core';
import { IconLayoutDashboard, IconPlus } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { NearLimitNotice } from '../../ui/usage/NearLimit.tsx';
import { Page } from '../../ui/page/Page.tsx';
import type { ListSearch } from './search.ts';
import { DashboardList } from './DashboardList.tsx';
import { NewDashboardDialog } from './NewDashboardDialog.tsx';

/** Your private dashboards, which don't belong to an organization. */
export function PrivateDashboardsPage(): ReactNode {
  const { open, ...search } = useSearch({ from: paths.privateDashboards });
  const navigate = useNavigate();
  const setSearch = (next: ListSearch) =>
    void navigate({ to: paths.privateDashboards, search: next, replace: true });
  const create = () => setSearch({ ...search, open: 'new' });
  const button = (
    <Button leftSection={<IconPlus size={16} />} onClick={create}>
      {t('New dashboard')}
    </Button>
  );
  return (
    <Page
      title={t('Private dashboards')}
      description={t("Only you can see these dashboards. They don't belong to an organization.")}
      actions={button}
    >
      <NearLimitNotice />
      <DashboardList
        search={search}
        onSearch={setSearch}
        emptyState={
          <EmptyState icon={IconLayoutDashboard} title={t('No private dashboards yet')}>
            {t(
              "Create one, or duplicate an organization's dashboard to try something out. Only you will see it.",
            )}
          </EmptyState>
        }
      />
      <NewDashboardDialog opened={open === 'new'} onClose={() => setSearch(search)} />
    </Page>
  );
}
