import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Folder } from '#contract/records/folders.ts';
import { t } from '#shared/language/messages.ts';
import { ApiProblem, call } from '../../app/api.ts';
import { ConfirmDialog } from '../../ui/actions/ConfirmDialog.tsx';
import { notifyDeleted } from '../../ui/notifications/notify-deleted.tsx';
import { refreshFolders } from '../../ui/folders/queries.ts';

/** Asks for confirmation before a folder is moved to the trash with everything in it. */
export function DeleteFolderDialog({
  folder: { id, name },
  close,
}: {
  readonly folder: Folder;
  readonly close: () => void;
}): ReactNode {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: (force: boolean) =>
      call('DELETE /api/folders/{folderId}', {
        params: { folderId: id },
        ...(force && { query: { force: 'true' } }),
      }),
    onSuccess: async () => {
      close();
      notifyDeleted(id, t('Moved the folder “{name}” to the trash.', { name }), async () => {
        await call('POST /api/folders/{folderId}/restore', { params: { folderId: id } });
        await refreshFolders(client);
      });
      await refreshFolders(client);
    },
  });
  const isInUse = remove.error instanceof ApiProblem && remove.error.code === 'report_in_use';
  return (
    <ConfirmDialog
      title={t('Delete the folder?')}
      sentences={[
        t('This moves “{name}” to the trash, with all dashboards, reports and folders in it.', { name }),
        ...(isInUse
          ? [t('Dashboards elsewhere show reports in it. They will show that these reports were deleted.')]
          : []),
      ]}
      action={isInUse ? t('Delete anyway') : t('Delete')}
      opened
      onClose={close}
      onConfirm={() => remove.mutate(isInUse)}
      isPending={remove.isPending}
      error={isInUse ? undefined : remove.error}
    />
  );
}
