import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconDotsVertical,
  IconFileExport,
  IconLink,
  IconMaximize,
  IconPencil,
  IconPrinter,
  IconRefresh,
  IconUserPlus,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Dashboard } from '#contract/dashboards/dashboards.ts';
import { paths } from '../../app/paths.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { MenuAction } from '../../ui/actions/MenuAction.tsx';
import { notifyDone, notifyError } from '../../ui/notifications/notify.ts';
import type { Search } from '../../ui/browser/search.ts';
import { LazyExportDialog } from '../export/LazyExportDialog.tsx';
import { DashboardMenuItems } from '../DashboardMenuItems.tsx';
import type { RefreshInterval } from './search.ts';
import { RefreshMenu } from './RefreshMenu.tsx';
import { ShareDialog } from '../../sharing/ShareDialog.tsx';
import { StarButton } from '../StarButton.tsx';
import { useEditReason } from '../../sharing/use-edit-reason.ts';

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
  const reason = useEditReason({ kind: 'dashboard', id });
  const toList = () =>
    void (organizationId === undefined
      ? navigate({ to: paths.privateDashboards })
      : navigate({ to: paths.dashboards, params: { orgId: organizationId } }));

  return (
    <>
      <StarButton dashboardId={id} />
      <Tooltip label="Refresh without cached results">
        <ActionIcon variant="subtle" color="gray" size={36} aria-label="Refresh" onClick={onRefresh}>
          <IconRefresh size={18} />
        </ActionIcon>
      </Tooltip>
      <RefreshMenu every={every} />
      <ActionButton variant="default" leftSection={<IconUserPlus size={16} />} onClick={sharing.open}>
        Share
      </ActionButton>
      <ActionButton
        leftSection={<IconPencil size={16} />}
        reason={reason}
        onClick={() => void navigate({ to: paths.dashboardEdit, params: { dashboardId: id } })}
      >
        Edit
      </ActionButton>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More actions">
            <IconDotsVertical size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuAction icon={<IconLink size={16} />} onClick={() => void copyLink()}>
            Copy link
          </MenuAction>
          <MenuAction icon={<IconMaximize size={16} />} onClick={toggleFullScreen}>
            Full screen
          </MenuAction>
          <MenuAction icon={<IconPrinter size={16} />} onClick={onPrint}>
            Print
          </MenuAction>
          <MenuAction icon={<IconFileExport size={16} />} onClick={exporting.open}>
            Export
          </MenuAction>
          <Menu.Divider />
          <DashboardMenuItems dashboard={dashboard} reason={reason} onDeleted={toList} />
        </Menu.Dropdown>
      </Menu>
      <LazyExportDialog
        exported={{ dashboardId: id, title: dashboard.name }}
        filters={filters}
        opened={isExporting}
        onClose={exporting.close}
      />
      <ShareDialog record={{ ...dashboard, kind: 'dashboard' }} opened={isSharing} onClose={sharing.close} />
    </>
  );
}

/** Copies the link with its filters, so that everyone with access sees the same. */
async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href);
    notifyDone('Link copied. Anyone with access can open it.');
  } catch {
    // Browsers provide the clipboard only over HTTPS.
    notifyDone(`Your browser doesn't allow copying. The link is ${location.href}`);
  }
}

const toggleFullScreen = (): void =>
  void (
    document.fullscreenElement === null
      ? document.documentElement.requestFullscreen()
      : document.exitFullscreen()
  ).catch(notifyError);
