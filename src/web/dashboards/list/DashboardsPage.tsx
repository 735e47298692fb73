import { Group } from '@mantine/core';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { may } from '#shared/permissions.ts';
import { paths } from '../../app/paths.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { allFolders } from '../../folders/use-folder-view.ts';
import { Page } from '../../ui/page/Page.tsx';
import { NearLimitNotice } from '../../ui/usage/NearLimit.tsx';
import { useOrganization } from '../../ui/server-data/session.ts';
import { ImportDialog } from '../import/LazyImportDialog.tsx';
import type { ListSearch } from './search.ts';
import { DashboardList } from './DashboardList.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { NewDashboardDialog } from './NewDashboardDialog.tsx';

/** The dashboards of an organization. */
export function DashboardsPage(): ReactNode {
  const { orgId } = useParams({ from: paths.dashboards });
  const { open, ...search } = useSearch({ from: paths.dashboards });
  const navigate = useNavigate();
  const organization = useOrganization(orgId);
  const folderId = search.folder === allFolders ? undefined : search.folder;
  const setSearch = (next: ListSearch) =>
    void navigate({ to: paths.dashboards, params: { orgId }, search: next, replace: true });
  const reason =
    organization === undefined || may(organization.role, 'dashboard.create')
      ? undefined
      : t(
          "Viewers can't create dashboards in an organization. Open Private dashboards from the menu at the upper left to create one that only you can see.",
        );
  return (
    <Page
      title={t('Dashboards')}
      actions={
        <Group gap="xs">
          <ActionButton
            variant="default"
            reason={reason}
            leftSection={<IconFileImport size={16} />}
            onClick={() => setSearch({ ...search, open: 'import' })}
          >
            {t('Import')}
          </ActionButton>
          <ActionButton
            reason={reason}
            leftSection={<IconPlus size={16} />}
            onClick={() => setSearch({ ...search, open: 'new' })}
          >
            {t('New dashboard')}
          </ActionButton>
        </Group>
      }
    >
      <NearLimitNotice orgId={orgId} />
      <DashboardList
        orgId={orgId}
        search={search}
        onSearch={setSearch}
        emptyState={<FirstSteps orgId={orgId} role={organization?.role} />}
      />
      <NewDashboardDialog
        opened={open === 'new' && reason === undefined}
        onClose={() => setSearch(search)}
        organizationId={orgId}
        folderId={folderId}
      />
      {open === 'import' && reason === undefined && (
        <Suspense>
          <ImportDialog organizationId={orgId} folderId={folderId} onClose={() => setSearch(search)} />
        </Suspense>
      )}
    </Page>
  );
}
