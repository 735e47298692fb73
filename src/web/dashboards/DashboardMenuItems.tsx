import { Menu } from '@mantine/core';
import { IconCopy, IconHistory, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { may } from '#shared/permissions.ts';
import { paths } from '../app/paths.ts';
import { MenuAction } from '../ui/actions/MenuAction.tsx';
import { useFolders } from '../ui/folders/queries.ts';
import { useOrganization } from '../ui/server-data/session.ts';
import { useDelete, useDuplicate } from './actions.ts';

/** The last items of every menu of a dashboard: duplicate, history, delete. */
export function DashboardMenuItems({
  dashboard: { id, name, organizationId, folderId },
  reason,
  onDeleted,
}: {
  readonly dashboard: {
    readonly id: string;
    readonly name: string;
    readonly organizationId?: string | undefined;
    /** The folder that it is in, if that is known and you may see it. */
    readonly folderId?: string | undefined;
  };
  /** Why you can't edit it; undefined when you can. */
  readonly reason: string | undefined;
  readonly onDeleted?: () => void;
}): ReactNode {
  const navigate = useNavigate();
  const organization = useOrganization(organizationId);
  const duplicate = useDuplicate();
  const remove = useDelete(onDeleted);
  const { data: folders = [] } = useFolders(organizationId);
  const folder = folders.find((each) => each.id === folderId && each.access !== 'view');
  const isPrivateCopy = organizationId !== undefined && !may(organization?.role, 'dashboard.create');
  return (
    <>
      <MenuAction
        icon={<IconCopy size={16} />}
        onClick={() =>
          duplicate({ id, ...(isPrivateCopy ? { organizationId: null } : folder && { folderId: folder.id }) })
        }
      >
        {isPrivateCopy ? t('Duplicate as private') : t('Duplicate')}
      </MenuAction>
      <MenuAction
        icon={<IconHistory size={16} />}
        onClick={() => void navigate({ to: paths.dashboardHistory, params: { dashboardId: id } })}
      >
        {t('History')}
      </MenuAction>
      <Menu.Divider />
      <MenuAction
        icon={<IconTrash size={16} />}
        color="red"
        reason={reason}
        onClick={() => remove({ id, name })}
      >
        {t('Delete')}
      </MenuAction>
    </>
  );
}
