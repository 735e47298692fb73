import { ActionIcon, Menu } from '@mantine/core';
import { IconCopy, IconDots, IconFolderOpen, IconHistory, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { DashboardListItem } from '#contract/dashboard-listing.ts';
import { paths } from '../paths.ts';
import { MenuAction } from '../ui/MenuAction.tsx';
import { mayAs, useOrganization } from '../ui/session.ts';
import { useDelete, useDuplicate } from './dashboard-moves.ts';
import { permissionsQuery } from './sharing-queries.ts';

/** What can be done with a dashboard from a list of them. */
export function DashboardRowMenu({ dashboard }: { readonly dashboard: DashboardListItem }): ReactNode {
  const { id, name, organizationId } = dashboard;
  const [isOpen, setIsOpen] = useState(false);
  const navigate = useNavigate();
  const { data: permissions } = useQuery({ ...permissionsQuery(id), enabled: isOpen });
  const organization = useOrganization(organizationId);
  const duplicate = useDuplicate();
  const remove = useDelete();
  const isForOwn = organizationId !== undefined && !mayAs(organization?.role, 'editor');
  const reason =
    permissions?.access === 'view' ? 'You may see this dashboard, but not change it.' : undefined;
  const go = (to: typeof paths.dashboard | typeof paths.dashboardEdit | typeof paths.dashboardHistory) =>
    void navigate({ to, params: { dashboardId: id } });
  return (
    <Menu position="bottom-end" width={240} opened={isOpen} onChange={setIsOpen}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <MenuAction icon={<IconFolderOpen size={16} />} onClick={() => go(paths.dashboard)}>
          Open
        </MenuAction>
        <MenuAction icon={<IconPencil size={16} />} reason={reason} onClick={() => go(paths.dashboardEdit)}>
          Edit
        </MenuAction>
        <MenuAction
          icon={<IconCopy size={16} />}
          onClick={() => duplicate({ id, ...(isForOwn && { organizationId: null }) })}
        >
          {isForOwn ? 'Duplicate to your own' : 'Duplicate'}
        </MenuAction>
        <MenuAction icon={<IconHistory size={16} />} onClick={() => go(paths.dashboardHistory)}>
          History
        </MenuAction>
        <Menu.Divider />
        <MenuAction
          icon={<IconTrash size={16} />}
          color="red"
          reason={reason}
          onClick={() => remove({ id, name })}
        >
          Delete
        </MenuAction>
      </Menu.Dropdown>
    </Menu>
  );
}
