import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { call } from '../app/api.ts';
import { refreshFolders } from '../ui/folders/queries.ts';
import { forgetDeleted } from '../ui/notifications/notify-deleted.tsx';
import { DeletedList, type DeletedTexts } from './DeletedList.tsx';
import { deletedFoldersQuery, type DeletedFolder } from './queries.ts';

/** The deleted folders of an organization that you may restore, with everything that was deleted with them. */
export function FoldersTrash({ organizationId }: { readonly organizationId: string }): ReactNode {
  const client = useQueryClient();
  const texts: DeletedTexts<DeletedFolder> = {
    emptyTitle: t('No folders in the trash'),
    nameOf: ({ name }) => t('the folder “{name}”', { name }),
    noteOf: () => '',
    purgedOf: ({ name }) =>
      t('the folder “{name}”, but not the dashboards and reports in it, which stay in the trash', { name }),
    purgeReasonOf: ({ access }) =>
      access === 'manage'
        ? undefined
        : t('Only its owner and admins of the organization can delete a folder permanently.'),
  };
  return (
    <DeletedList
      trash={useInfiniteQuery(deletedFoldersQuery(organizationId))}
      texts={texts}
      restore={async (id) => {
        await call('POST /api/folders/{folderId}/restore', { params: { folderId: id } });
        forgetDeleted(id);
        await refreshFolders(client);
      }}
      purge={async (id) => {
        await call('DELETE /api/trash/folders/{id}', { params: { id } });
        forgetDeleted(id);
      }}
    />
  );
}
