import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconDotsVertical,
  IconFileExport,
  IconLink,
  IconMaximize,
  IconPencil,
  IconPresentation,
  IconPrinter,
  IconRefresh,
  IconUserPlus,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import type { Dashboard } from '#contract/dashboards/dashboards.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { MenuAction } from '../../ui/actions/MenuAction.tsx';
import { loadChunk } from '../../ui/connection/chunks.ts';
import { notifyDone, notifyError } from '../../ui/notifications/notify.ts';
import type { Search } from '../../ui/browser/search.ts';
import { LazyExportDialog } from '../export/LazyExportDialog.tsx';
import { DashboardMenuItems } from '../DashboardMenuItems.tsx';
import { readTabSearch as tabOf, type RefreshInterval } from './search.ts';
import { RefreshMenu } from './RefreshMenu.tsx';
import { permissionsQuery } from '../../sharing/queries.ts';
import { ShareDialog } from '../../sharing/ShareDialog.tsx';
import { StarButton } from '../StarButton.tsx';
import { useEditReason } from '../../sharing/use-edit-reason.ts';

/** Loaded when it opens. */
const PresentDialog = lazy(async () => ({
  default: (await loadChunk('PresentDialog', () => import('../present/PresentDialog.tsx'))).PresentDialog,
}));

/** The actions for the dashboard that is shown. */
export function DashboardActions({
  dashboard,
  every,
  filters,
  onRefresh,
  onPrint,
}: {
  readonly dashboard: Dashboard;
  readonly every: RefreshInterval | undefined;
  /** The values of the filters. */
  readonly filters: Search;
  readonly onRefresh: () => void;
  readonly onPrint: () => void;
}): ReactNode {
  const { id, organizationId } = dashboard;
  const navigate = useNavigate();
  const [isSharing, sharing] = useDisclosure();
  const [isExporting, exporting] = useDisclosure();
  const search = useSearch({ from: paths.dashboard });
  const [isPresenting, presenting] = useDisclosure();
  const reason = useEditReason({ kind: 'dashboard', id });
  const { data: permissions } = useQuery(permissionsQuery({ kind: 'dashboard', id }));
  const toList = () =>
    void (organizationId === undefined
      ? navigate({ to: paths.privateDashboards })
      : navigate({ to: paths.dashboards, params: { orgId: organizationId } }));

  return (
    <>
      <StarButton dashboardId={id} />
      <Tooltip label={t('Refresh without cached results')}>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={t('Refresh')} onClick={onRefresh}>
          <IconRefresh size={18} />
        </ActionIcon>
      </Tooltip>
      <RefreshMenu every={every} />
      <ActionButton variant="default" leftSection={<IconUserPlus size={16} />} onClick={sharing.open}>
        {t('Share')}
      </ActionButton>
      <ActionButton
        leftSection={<IconPencil size={16} />}
        reason={reason}
        onClick={() =>
          void navigate({ to: paths.dashboardEdit, params: { dashboardId: id }, search: tabOf(search) })
        }
      >
        {t('Edit')}
      </ActionButton>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('More actions')}>
            <IconDotsVertical size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuAction icon={<IconLink size={16} />} onClick={() => void copyLink()}>
            {t('Copy link')}
          </MenuAction>
          <MenuAction icon={<IconMaximize size={16} />} onClick={toggleFullScreen}>
            {t('Full screen')}
          </MenuAction>
          <MenuAction icon={<IconPresentation size={16} />} onClick={presenting.open}>
            {t('Present')}
          </MenuAction>
          <MenuAction icon={<IconPrinter size={16} />} onClick={onPrint}>
            {t('Print')}
          </MenuAction>
          <MenuAction icon={<IconFileExport size={16} />} onClick={exporting.open}>
            {t('Export')}
          </MenuAction>
          <Menu.Divider />
          <DashboardMenuItems
            dashboard={{ ...dashboard, folderId: permissions?.folderId }}
            reason={reason}
            onDeleted={toList}
          />
        </Menu.Dropdown>
      </Menu>
      <LazyExportDialog
        exported={{ dashboardId: id, title: dashboard.name }}
        filters={filters}
        opened={isExporting}
        onClose={exporting.close}
      />
      {isPresenting && (
        <Suspense>
          <PresentDialog dashboard={dashboard} filters={filters} onClose={presenting.close} />
        </Suspense>
      )}
      <ShareDialog record={{ ...dashboard, kind: 'dashboard' }} opened={isSharing} onClose={sharing.close} />
    </>
  );
}

/** Copies the link with its filters, so that everyone with access sees the same. */
async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href);
    notifyDone(t('Link copied. Anyone with access can open it.'));
  } catch {
    // Browsers provide the clipboard only over HTTPS.
    notifyDone(t("Your browser doesn't allow copying. The link is {address}", { address: location.href }));
  }
}

const toggleFullScreen = (): void =>
  void (
    document.fullscreenElement === null
      ? document.documentElement.requestFullscreen()
      : document.exitFullscreen()
  ).catch(notifyError);
