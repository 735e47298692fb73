import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconFolderOpen, IconFolderSymlink, IconPencil } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { DashboardListItem } from '#contract/dashboards/listing.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { LazyFolderDialog } from '../../folders/LazyFolderDialog.tsx';
import { noFolder } from '../../ui/folders/tree.ts';
import { MenuAction } from '../../ui/actions/MenuAction.tsx';
import { DashboardMenuItems } from '../DashboardMenuItems.tsx';
import { useEditReason } from '../../sharing/use-edit-reason.ts';

/** The actions for a dashboard in a list. */
export function DashboardRowMenu({ dashboard }: { readonly dashboard: DashboardListItem }): ReactNode {
  const { id, name, organizationId, folderId } = dashboard;
  const [isOpen, setIsOpen] = useState(false);
  const [isMoving, setIsMoving] = useState(false);
  const navigate = useNavigate();
  const reason = useEditReason({ kind: 'dashboard', id }, isOpen);
  const go = (to: typeof paths.dashboard | typeof paths.dashboardEdit) =>
    void navigate({ to, params: { dashboardId: id } });
  return (
    <>
      <Menu position="bottom-end" width={240} opened={isOpen} onChange={setIsOpen}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('Actions for {name}', { name })}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuAction icon={<IconFolderOpen size={16} />} onClick={() => go(paths.dashboard)}>
            {t('Open')}
          </MenuAction>
          <MenuAction icon={<IconPencil size={16} />} reason={reason} onClick={() => go(paths.dashboardEdit)}>
            {t('Edit')}
          </MenuAction>
          {organizationId !== undefined && (
            <MenuAction
              icon={<IconFolderSymlink size={16} />}
              reason={reason}
              onClick={() => setIsMoving(true)}
            >
              {t('Move…')}
            </MenuAction>
          )}
          <DashboardMenuItems dashboard={dashboard} reason={reason} />
        </Menu.Dropdown>
      </Menu>
      {organizationId !== undefined && (
        <LazyFolderDialog
          orgId={organizationId}
          dialog={
            isMoving
              ? { action: 'move items', items: [{ kind: 'dashboard', id, name }], from: folderId ?? noFolder }
              : undefined
          }
          close={() => setIsMoving(false)}
        />
      )}
    </>
  );
}
