import { Tabs } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { may } from '#shared/permissions.ts';
import { paths } from '../app/paths.ts';
import { EmptyState } from '../ui/page/EmptyState.tsx';
import { Page } from '../ui/page/Page.tsx';
import { useOrganization } from '../ui/server-data/session.ts';
import { FoldersTrash } from './FoldersTrash.tsx';
import { readTrashSearch } from './search.ts';
import { SourcesTrash } from './SourcesTrash.tsx';
import { TablesTrash } from './TablesTrash.tsx';
import { TrashList } from './TrashList.tsx';

/** The deleted records of an organization, and your private dashboards that you deleted. */
export function TrashPage(): ReactNode {
  const { orgId } = useParams({ from: paths.trash });
  const { show } = useSearch({ from: paths.trash });
  const navigate = useNavigate({ from: paths.trash });
  const role = useOrganization(orgId)?.role;
  return (
    <Page
      title={t('Trash')}
      description={t(
        'Deleted dashboards, reports, folders, data sources and tables can be restored for 30 days.',
      )}
    >
      <Tabs
        value={show ?? 'dashboards'}
        keepMounted={false}
        onChange={(tab) => void navigate({ search: readTrashSearch({ show: tab }), replace: true })}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="dashboards">{t('Dashboards')}</Tabs.Tab>
          <Tabs.Tab value="reports">{t('Reports')}</Tabs.Tab>
          <Tabs.Tab value="folders">{t('Folders')}</Tabs.Tab>
          <Tabs.Tab value="data-sources">{t('Data sources')}</Tabs.Tab>
          <Tabs.Tab value="tables">{t('Tables')}</Tabs.Tab>
          <Tabs.Tab value="private">{t('Private dashboards')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="dashboards">
          <TrashList kind="dashboard" organizationId={orgId} emptyTitle={t('No dashboards in the trash')} />
        </Tabs.Panel>
        <Tabs.Panel value="reports">
          <TrashList kind="report" organizationId={orgId} emptyTitle={t('No reports in the trash')} />
        </Tabs.Panel>
        <Tabs.Panel value="folders">
          <FoldersTrash organizationId={orgId} />
        </Tabs.Panel>
        <Tabs.Panel value="data-sources">
          {role !== undefined && !may(role, 'data_source.browse') ? (
            <EmptyState icon={IconLock} title={t("You can't see deleted data sources")}>
              {t('Only editors and admins of this organization can restore data sources.')}
            </EmptyState>
          ) : (
            <SourcesTrash organizationId={orgId} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="tables">
          {role !== undefined && !may(role, 'data_source.manage_files') ? (
            <EmptyState icon={IconLock} title={t("You can't see deleted tables")}>
              {t('Only editors and admins of this organization can restore tables.')}
            </EmptyState>
          ) : (
            <TablesTrash organizationId={orgId} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="private">
          <TrashList kind="dashboard" emptyTitle={t('No private dashboards in the trash')} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
