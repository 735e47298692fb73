import { Group, Paper, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
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
import { rich } from '../ui/text/rich.tsx';

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
  /** Why the user, who may restore it, may not delete it permanently. */
  purgeReasonOf?(item: Item): string | undefined;
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
    onSuccess: (_, item) => notifyDone(t('Restored {name}.', { name: texts.nameOf(item) })),
    onError: notifyError,
    onSettled: refresh,
  });
  const purge = useMutation({
    mutationFn: ({ id }: Item) => sendPurge(id),
    onSuccess: (_, item) => {
      setPurging(undefined);
      notifyDone(t('Permanently deleted {name}.', { name: texts.nameOf(item) }));
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
          {t('You can restore what was deleted here for 30 days.')}
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
                  {item.deletedByName === ''
                    ? rich('Deleted {time}. Can be restored until {purgeAt}.', {
                        time: <TimeAgo at={item.deletedAt} />,
                        purgeAt: exactTime(item.purgeAt),
                      })
                    : rich('Deleted by {name} {time}. Can be restored until {purgeAt}.', {
                        name: item.deletedByName,
                        time: <TimeAgo at={item.deletedAt} />,
                        purgeAt: exactTime(item.purgeAt),
                      })}
                </Text>
              </div>
              <ActionButton
                variant="default"
                size="xs"
                aria-label={t('Restore {name}', { name: item.name })}
                reason={texts.reasonOf?.(item)}
                loading={restore.isPending && restore.variables.id === item.id}
                onClick={() => restore.mutate(item)}
              >
                {t('Restore')}
              </ActionButton>
              <ActionButton
                variant="subtle"
                color="gray"
                size="xs"
                aria-label={t('Delete permanently: {name}', { name: item.name })}
                reason={texts.reasonOf?.(item) ?? texts.purgeReasonOf?.(item)}
                onClick={() => setPurging(item)}
              >
                {t('Delete permanently')}
              </ActionButton>
            </Group>
          ))}
        </Paper>
      )}
      <MoreButton list={trash}>{t('Show older')}</MoreButton>
      <ConfirmDialog
        title={t('Delete permanently?')}
        sentences={
          purging === undefined
            ? []
            : [
                t("This deletes {deleted} permanently. You can't undo this.", {
                  deleted: texts.purgedOf(purging),
                }),
              ]
        }
        action={t('Delete permanently')}
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
