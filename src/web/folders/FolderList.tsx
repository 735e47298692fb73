import { ActionIcon, Anchor, Group, Menu, Paper, Text } from '@mantine/core';
import {
  IconDots,
  IconFolder,
  IconFolderSymlink,
  IconPencil,
  IconTrash,
  IconUserPlus,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Folder } from '#contract/records/folders.ts';
import { t } from '#shared/language/messages.ts';
import { MenuAction } from '../ui/actions/MenuAction.tsx';
import type { FolderLink } from './folder-link.ts';
import type { OpenDialog } from './open-dialog.ts';
import classes from './FolderList.module.css';

/** The folders in a folder, each with its menu; nothing if there are none. */
export function FolderList({
  folders,
  linkTo,
  onDialog,
}: {
  readonly folders: readonly Folder[];
  readonly linkTo: FolderLink;
  readonly onDialog: (dialog: OpenDialog) => void;
}): ReactNode {
  if (folders.length === 0) return null;
  return (
    <Paper withBorder component="ul" aria-label={t('Folders')} className={classes['list'] ?? ''}>
      {folders.map((folder) => (
        <Group key={folder.id} component="li" wrap="nowrap" gap="sm" className={classes['row'] ?? ''}>
          <IconFolder size={18} aria-hidden />
          <Anchor
            c="inherit"
            fz="sm"
            fw={600}
            className={classes['name'] ?? ''}
            renderRoot={linkTo(folder.id)}
          >
            {folder.name}
          </Anchor>
          {folder.restricted && (
            <Text size="xs" c="dimmed">
              {t('Restricted')}
            </Text>
          )}
          <FolderMenu folder={folder} onDialog={onDialog} />
        </Group>
      ))}
    </Paper>
  );
}

/** The actions for a folder. */
function FolderMenu({
  folder,
  onDialog,
}: {
  readonly folder: Folder;
  readonly onDialog: (dialog: OpenDialog) => void;
}): ReactNode {
  const { name, access, personal } = folder;
  const editReason = access === 'view' ? t('You can view this folder, but not edit it.') : undefined;
  const reason = editReason ?? (personal ? t('A personal folder can’t be renamed or moved.') : undefined);
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('Actions for the folder {name}', { name })}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <MenuAction
          icon={<IconPencil size={16} />}
          reason={reason}
          onClick={() => onDialog({ action: 'rename', folder })}
        >
          {t('Rename…')}
        </MenuAction>
        <MenuAction
          icon={<IconFolderSymlink size={16} />}
          reason={reason}
          onClick={() => onDialog({ action: 'move', folder })}
        >
          {t('Move…')}
        </MenuAction>
        <MenuAction icon={<IconUserPlus size={16} />} onClick={() => onDialog({ action: 'share', folder })}>
          {t('Share')}
        </MenuAction>
        <Menu.Divider />
        <MenuAction
          icon={<IconTrash size={16} />}
          color="red"
          reason={editReason}
          onClick={() => onDialog({ action: 'delete', folder })}
        >
          {t('Delete')}
        </MenuAction>
      </Menu.Dropdown>
    </Menu>
  );
}
