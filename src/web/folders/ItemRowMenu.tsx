import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconFolderOpen, IconFolderSymlink, IconPencil } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { useEditReason } from '../sharing/use-edit-reason.ts';
import { MenuAction } from '../ui/actions/MenuAction.tsx';
import { noFolder } from '../ui/folders/tree.ts';
import { LazyFolderDialog } from './LazyFolderDialog.tsx';

/** The actions for a dashboard or a report in a list. */
export function ItemRowMenu({
  kind,
  item,
  onOpen,
  onEdit,
  more,
}: {
  readonly kind: 'dashboard' | 'report';
  readonly item: {
    readonly id: string;
    readonly name: string;
    /** Undefined for a dashboard of one person, which is in no folder. */
    readonly organizationId?: string | undefined;
    readonly folderId?: string | undefined;
  };
  readonly onOpen: () => void;
  readonly onEdit: () => void;
  /** Returns further actions, given the reason why the person may not edit. */
  readonly more?: (reason: string | undefined) => ReactNode;
}): ReactNode {
  const { id, name, organizationId, folderId } = item;
  const [isOpen, setIsOpen] = useState(false);
  const [isMoving, setIsMoving] = useState(false);
  const reason = useEditReason({ kind, id }, isOpen);
  return (
    <>
      <Menu position="bottom-end" width={240} opened={isOpen} onChange={setIsOpen}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('Actions for {name}', { name })}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuAction icon={<IconFolderOpen size={16} />} onClick={onOpen}>
            {t('Open')}
          </MenuAction>
          <MenuAction icon={<IconPencil size={16} />} reason={reason} onClick={onEdit}>
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
          {more?.(reason)}
        </Menu.Dropdown>
      </Menu>
      {organizationId !== undefined && (
        <LazyFolderDialog
          orgId={organizationId}
          dialog={
            isMoving
              ? { action: 'move items', items: [{ kind, id, name }], from: folderId ?? noFolder }
              : undefined
          }
          close={() => setIsMoving(false)}
        />
      )}
    </>
  );
}
