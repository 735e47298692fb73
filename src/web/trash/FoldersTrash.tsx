import { Group, Paper, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Folder } from '#contract/folders.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../app/api.ts';
import { ActionButton } from '../ui/actions/ActionButton.tsx';
import { refreshFolders } from '../ui/folders/queries.ts';
import { forgetDeleted } from '../ui/notifications/notify-deleted.tsx';
import { notifyDone, notifyError } from '../ui/notifications/notify.ts';
import { EmptyState } from '../ui/page/EmptyState.tsx';
import { Waiting } from '../ui/page/Waiting.tsx';
import { Failure } from '../ui/problems/Failure.tsx';
import { deletedFoldersQuery } from './queries.ts';
import classes from './TrashRow.module.css';

/** The deleted folders of an organization that you may restore, with everything that was deleted with them. */
export function FoldersTrash({ organizationId }: { readonly organizationId: string }): ReactNode {
  const client = useQueryClient();
  const trash = useQuery(deletedFoldersQuery(organizationId));
  const restore = useMutation({
    mutationFn: ({ id }: Folder) =>
      call('POST /api/folders/{folderId}/restore', { params: { folderId: id } }),
    onSuccess: (_, { id, name }) => {
      forgetDeleted(id);
      notifyDone(t('Restored “{name}”.', { name }));
    },
    onError: notifyError,
    onSettled: () => refreshFolders(client),
  });
  if (trash.isError) return <Failure error={trash.error} retry={() => void trash.refetch()} />;
  if (trash.data === undefined) return <Waiting height={240} />;
  if (trash.data.length === 0) {
    return (
      <EmptyState icon={IconTrash} title={t('No folders in the trash')}>
        {t('You can restore what was deleted here for 30 days.')}
      </EmptyState>
    );
  }
  return (
    <Paper withBorder component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {trash.data.map((folder) => (
        <Group key={folder.id} component="li" className={classes['row'] ?? ''} gap="sm">
          <Text fw={500} size="sm" className={classes['words'] ?? ''}>
            {folder.name}
          </Text>
          <ActionButton
            variant="default"
            size="xs"
            aria-label={t('Restore {name}', { name: folder.name })}
            loading={restore.isPending && restore.variables.id === folder.id}
            onClick={() => restore.mutate(folder)}
          >
            {t('Restore')}
          </ActionButton>
        </Group>
      ))}
    </Paper>
  );
}
