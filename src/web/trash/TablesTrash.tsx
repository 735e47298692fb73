import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { DeletedTable } from '#contract/data-sources/tables-trash.ts';
import { call } from '../app/api.ts';
import { ConfirmDialog } from '../ui/actions/ConfirmDialog.tsx';
import { MoreButton } from '../ui/actions/MoreButton.tsx';
import { notifyDone, notifyError } from '../ui/notifications/notify.ts';
import { EmptyState } from '../ui/page/EmptyState.tsx';
import { Waiting } from '../ui/page/Waiting.tsx';
import { Failure } from '../ui/problems/Failure.tsx';
import { formatBytes } from '../ui/text/bytes.ts';
import { TimeAgo } from '../ui/text/TimeAgo.tsx';
import { exactTime } from '../ui/text/times.ts';
import { tablesTrashQuery } from './queries.ts';
import classes from './TrashRow.module.css';

/** The deleted tables of an organization, the last deleted first. */
export function TablesTrash({ organizationId }: { readonly organizationId: string }): ReactNode {
  const client = useQueryClient();
  const trash = useInfiniteQuery(tablesTrashQuery(organizationId));
  const [purging, setPurging] = useState<DeletedTable>();
  const refresh = () =>
    Promise.all(['trash', 'data-sources'].map((key) => client.invalidateQueries({ queryKey: [key] })));
  const restore = useMutation({
    mutationFn: ({ id }: DeletedTable) => call('POST /api/trash/tables/{id}/restore', { params: { id } }),
    onSuccess: (_, { name }) => notifyDone(`Restored the table ${name}.`),
    onError: notifyError,
    onSettled: refresh,
  });
  const purge = useMutation({
    mutationFn: ({ id }: DeletedTable) => call('DELETE /api/trash/tables/{id}', { params: { id } }),
    onSuccess: (_, { name }) => {
      setPurging(undefined);
      notifyDone(`Permanently deleted the table ${name}.`);
      return refresh();
    },
  });
  if (trash.isError) return <Failure error={trash.error} retry={() => void trash.refetch()} />;
  if (trash.data === undefined) return <Waiting height={240} />;
  const items = trash.data.pages.flatMap((page) => page.items);
  return (
    <Stack>
      {items.length === 0 ? (
        <EmptyState icon={IconTrash} title="No tables in the trash">
          You can restore what was deleted here for 30 days.
        </EmptyState>
      ) : (
        <Paper withBorder component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {items.map((item) => (
            <Group key={item.id} component="li" className={classes['row'] ?? ''} gap="sm">
              <div className={classes['words']}>
                <Text fw={500} size="sm">
                  {item.name}{' '}
                  <Text span c="dimmed" fw={400} size="sm">
                    in {item.dataSourceName}, {formatBytes(item.sizeBytes)}
                  </Text>
                </Text>
                <Text size="xs" c="dimmed">
                  Deleted{item.deletedByName !== '' && ` by ${item.deletedByName}`}{' '}
                  <TimeAgo at={item.deletedAt} />. Can be restored until {exactTime(item.purgeAt)}.
                </Text>
              </div>
              <Button
                variant="default"
                size="xs"
                aria-label={`Restore ${item.name}`}
                loading={restore.isPending && restore.variables.id === item.id}
                onClick={() => restore.mutate(item)}
              >
                Restore
              </Button>
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                aria-label={`Delete permanently: ${item.name}`}
                onClick={() => setPurging(item)}
              >
                Delete permanently
              </Button>
            </Group>
          ))}
        </Paper>
      )}
      <MoreButton list={trash}>Show older</MoreButton>
      <ConfirmDialog
        title="Delete permanently?"
        sentences={[`This deletes the table ${purging?.name} and its rows permanently. You can't undo this.`]}
        action="Delete permanently"
        opened={purging !== undefined}
        onClose={() => {
          purge.reset();
          setPurging(undefined);
        }}
        onConfirm={() => purging !== undefined && purge.mutate(purging)}
        isPending={purge.isPending}
        error={purge.error}
      />
    </Stack>
  );
}
