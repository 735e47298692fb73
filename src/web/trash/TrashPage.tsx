import { Tabs } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../app/paths.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Page } from '../ui/Page.tsx';
import { useOrganization } from '../ui/server-data/session.ts';
import { BinList } from './TrashList.tsx';
import { deletedDashboardsQuery, deletedReportsQuery, ownDeletedQuery } from './trash-queries.ts';

/** What was deleted: it can be restored for 30 days. */
export function BinPage(): ReactNode {
  const { orgId } = useParams({ from: paths.bin });
  const { show } = useSearch({ from: paths.bin });
  const navigate = useNavigate({ from: paths.bin });
  const role = useOrganization(orgId)?.role;
  return (
    <Page
      title="Bin"
      description="What was deleted stays here for 30 days, and can be restored as it was."
      size="lg"
    >
      <Tabs
        value={show ?? 'dashboards'}
        keepMounted={false}
        onChange={(tab) =>
          void navigate({ search: tab === 'reports' || tab === 'own' ? { show: tab } : {}, replace: true })
        }
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="dashboards">Dashboards</Tabs.Tab>
          <Tabs.Tab value="reports">Reports</Tabs.Tab>
          <Tabs.Tab value="own">My own dashboards</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="dashboards">
          <BinList orgId={orgId} query={deletedDashboardsQuery(orgId)} nothing="No dashboard is in the bin" />
        </Tabs.Panel>
        <Tabs.Panel value="reports">
          {role === 'viewer' ? (
            <EmptyState icon={IconLock} title="Deleted reports are for editors">
              Whoever may write reports in this organization can restore them.
            </EmptyState>
          ) : (
            <BinList orgId={orgId} query={deletedReportsQuery(orgId)} nothing="No report is in the bin" />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="own">
          <BinList
            orgId={undefined}
            query={ownDeletedQuery}
            nothing="None of your own dashboards is in the bin"
          />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
