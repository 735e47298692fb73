import { Group, Paper, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ActionButton } from '../ui/actions/ActionButton.tsx';
import { ConfirmDialog } from '../ui/actions/ConfirmDialog.tsx';
import { MoreButton } from '../ui/actions/MoreButton.tsx';
import { notifyDone, notifyError } from '../ui/notifications/notify.ts';
import { EmptyState } from '../ui/page/EmptyState.tsx';
import { Waiting } from '../ui/page/Waiting.tsx';
import { Failure } from '../ui/problems/Failure.tsx';
import { TimeAgo } from '../ui/text/TimeAgo.tsx';
import { exactTime } from '../ui/text/times.ts';
import type { DeletedPages } from './queries.ts';
import classes from './TrashRow.module.css';

interface Deleted {
  readonly id: string;
  readonly name: string;
  readonly deletedAt: string;
  readonly deletedByName: string;
  readonly purgeAt: string;
}

/** What differs between the lists of deleted things. */
export interface DeletedTexts<Item> {
  readonly emptyTitle: string;
  /** What it is called in a sentence, such as “the table sales”. */
  nameOf(item: Item): string;
  /** What is shown after its name. */
  noteOf(item: Item): string;
  /** What is deleted permanently, as an object. */
  purgedOf(item: Item): string;
  /** Why the user may not restore or delete it permanently. */
  reasonOf?(item: Item): string | undefined;
}

/** A list of what was deleted in an organization, the last deleted first, with its actions. */
export function DeletedList<Item extends Deleted>({
  trash,
  texts,
  restore: sendRestore,
  purge: sendPurge,
}: {
  readonly trash: DeletedPages<Item>;
  readonly texts: DeletedTexts<Item>;
  readonly restore: (id: string) => Promise<unknown>;
  readonly purge: (id: string) => Promise<unknown>;
}): ReactNode {
  const client = useQueryClient();
  const [purging, setPurging] = useState<Item>();
  const refresh = () =>
    Promise.all(['trash', 'data-sources'].map((key) => client.invalidateQueries({ queryKey: [key] })));
  const restore = useMutation({
    mutationFn: ({ id }: Item) => sendRestore(id),
    onSuccess: (_, item) => notifyDone(`Restored ${texts.nameOf(item)}.`),
    onError: notifyError,
    onSettled: refresh,
  });
  const purge = useMutation({
    mutationFn: ({ id }: Item) => sendPurge(id),
    onSuccess: (_, item) => {
      setPurging(undefined);
      notifyDone(`Permanently deleted ${texts.nameOf(item)}.`);
      return refresh();
    },
  });
  if (trash.isError) return <Failure error={trash.error} retry={() => void trash.refetch()} />;
  if (trash.data === undefined) return <Waiting height={240} />;
  const items = trash.data.pages.flatMap((page) => page.items);
  return (
    <Stack>
      {items.length === 0 ? (
        <EmptyState icon={IconTrash} title={texts.emptyTitle}>
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
                    {texts.noteOf(item)}
                  </Text>
                </Text>
                <Text size="xs" c="dimmed">
                  Deleted{item.deletedByName !== '' && ` by ${item.deletedByName}`}{' '}
                  <TimeAgo at={item.deletedAt} />. Can be restored until {exactTime(item.purgeAt)}.
                </Text>
              </div>
              <ActionButton
                variant="default"
                size="xs"
                aria-label={`Restore ${item.name}`}
                reason={texts.reasonOf?.(item)}
                loading={restore.isPending && restore.variables.id === item.id}
                onClick={() => restore.mutate(item)}
              >
                Restore
              </ActionButton>
              <ActionButton
                variant="subtle"
                color="gray"
                size="xs"
                aria-label={`Delete permanently: ${item.name}`}
                reason={texts.reasonOf?.(item)}
                onClick={() => setPurging(item)}
              >
                Delete permanently
              </ActionButton>
            </Group>
          ))}
        </Paper>
      )}
      <MoreButton list={trash}>Show older</MoreButton>
      <ConfirmDialog
        title="Delete permanently?"
        sentences={
          purging === undefined
            ? []
            : [`This deletes ${texts.purgedOf(purging)} permanently. You can't undo this.`]
        }
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
