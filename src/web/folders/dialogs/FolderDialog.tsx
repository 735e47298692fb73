import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { ShareDialog } from '../../sharing/ShareDialog.tsx';
import type { OpenDialog } from '../open-dialog.ts';
import { changeItems } from '../../ui/folders/queries.ts';
import { noFolder } from '../../ui/folders/tree.ts';
import { DeleteFolderDialog } from './DeleteFolderDialog.tsx';
import { FolderNameDialog } from './FolderNameDialog.tsx';
import { DeleteItemsDialog } from './DeleteItemsDialog.tsx';
import { MoveDialog } from './MoveDialog.tsx';

/** A dialog for a folder or for items in folders. */
export function FolderDialog({
  orgId,
  dialog,
  close,
}: {
  readonly orgId: string;
  readonly dialog: OpenDialog;
  readonly close: () => void;
}): ReactNode {
  switch (dialog.action) {
    case 'create':
      return (
        <FolderNameDialog
          title={t('New folder')}
          action={t('Create')}
          save={(name) =>
            call('POST /api/organizations/{orgId}/folders', {
              params: { orgId },
              body: { name, ...(dialog.parent && { parentId: dialog.parent.id }) },
            })
          }
          close={close}
        />
      );
    case 'rename':
      return (
        <FolderNameDialog
          title={t('Rename folder')}
          action={t('Rename')}
          name={dialog.folder.name}
          save={(name) => changeFolder(dialog.folder.id, { name })}
          close={close}
        />
      );
    case 'move':
      return (
        <MoveDialog
          orgId={orgId}
          title={t('Move “{name}”', { name: dialog.folder.name })}
          from={dialog.folder.parentId ?? noFolder}
          moved={dialog.folder.id}
          move={async (parentId) => {
            await changeFolder(dialog.folder.id, { parentId });
            return [];
          }}
          close={close}
        />
      );
    case 'move items': {
      const { items, from, onDone } = dialog;
      const name = items[0]?.name ?? '';
      return (
        <MoveDialog
          orgId={orgId}
          title={
            items.length === 1
              ? t('Move “{name}”', { name })
              : t('Move {count, plural, one {# item} other {# items}}', { count: items.length })
          }
          from={from}
          move={(folderId) => changeItems(orgId, { action: 'move', folderId }, items)}
          onDone={onDone}
          close={close}
        />
      );
    }
    case 'delete items':
      return <DeleteItemsDialog orgId={orgId} {...dialog} close={close} />;
    case 'share':
      return (
        <ShareDialog
          record={{ ...dialog.folder, kind: 'folder' }}
          link={`${location.origin}${location.pathname}?folder=${dialog.folder.id}`}
          opened
          onClose={close}
        />
      );
    case 'delete':
      return <DeleteFolderDialog folder={dialog.folder} close={close} />;
  }
}

const changeFolder = (
  folderId: string,
  body: { readonly name?: string; readonly parentId?: string | null },
): Promise<unknown> =>
  call('PATCH /api/folders/{folderId}', { params: { folderId }, headers: { 'if-match': '*' }, body });
