import { Button, Paper, Stack } from '@mantine/core';
import { IconArrowBackUp, IconTrash } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { EmptyState } from '../ui/page/EmptyState.tsx';
import { MoreButton } from '../ui/actions/MoreButton.tsx';
import { Failure } from '../ui/problems/Failure.tsx';
import { changeItems, type FailedItem, type Item } from '../ui/folders/queries.ts';
import { forgetDeleted } from '../ui/notifications/notify-deleted.tsx';
import { notifyDone, notifyError } from '../ui/notifications/notify.ts';
import { errorSentence } from '../ui/problems/message.ts';
import { FailedItems } from '../ui/selection/FailedItems.tsx';
import { SelectionBar } from '../ui/selection/SelectionBar.tsx';
import { useSelection } from '../ui/selection/use-selection.ts';
import { refreshRecords, trashOf, type Deleted, type RecordKind } from '../ui/server-data/trash.ts';
import { Waiting } from '../ui/page/Waiting.tsx';
import { PurgeDialog } from './PurgeDialog.tsx';
import { trashQuery } from './queries.ts';
import { TrashRow } from './TrashRow.tsx';

/** The deleted records of a kind, the last deleted first. */
export function TrashList({
  kind,
  organizationId,
  emptyTitle,
}: {
  readonly kind: RecordKind;
  /** Undefined for private records. */
  readonly organizationId?: string;
  readonly emptyTitle: string;
}): ReactNode {
  const trash = useInfiniteQuery(trashQuery(kind, organizationId));
  const client = useQueryClient();
  const [purging, setPurging] = useState<Deleted>();
  const items = trash.data?.pages.flatMap((page) => page.items) ?? [];
  const selection = useSelection(items, `${kind} ${organizationId}`);
  const restore = useMutation({
    mutationFn: (selected: readonly Deleted[]) =>
      restoreAll(
        organizationId,
        selected.map(({ id, name }) => ({ kind, id, name })),
      ),
    onSuccess: (failed, selected) => {
      const restored = selected.filter(({ id }) => failed.every((each) => each.id !== id));
      for (const { id } of restored) forgetDeleted(id);
      if (restored.length > 0)
        notifyDone(t('Restored {count, plural, one {# item} other {# items}}.', { count: restored.length }));
    },
    onError: notifyError,
    onSettled: () => refreshRecords(client),
  });
  if (trash.error !== null && trash.data === undefined) {
    return <Failure error={trash.error} retry={() => void trash.refetch()} />;
  }
  if (trash.data === undefined) return <Waiting height={240} />;
  return (
    <Stack>
      {items.length === 0 && !trash.hasNextPage && (
        <EmptyState icon={IconTrash} title={emptyTitle}>
          {t('You can restore what was deleted here for 30 days.')}
        </EmptyState>
      )}
      <FailedItems title={t('Not restored')} items={restore.data ?? []} />
      {items.length > 0 && (
        <Paper withBorder component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {items.map((item) => (
            <TrashRow
              key={item.id}
              kind={kind}
              item={item}
              selection={selection}
              onPurge={() => setPurging(item)}
            />
          ))}
        </Paper>
      )}
      <MoreButton
        list={trash}
        total={(count) =>
          kind === 'dashboard'
            ? t('{count, plural, one {# deleted dashboard} other {# deleted dashboards}}', { count })
            : t('{count, plural, one {# deleted report} other {# deleted reports}}', { count })
        }
      >
        {t('Show older')}
      </MoreButton>
      <SelectionBar selection={selection}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconArrowBackUp size={14} aria-hidden />}
          loading={restore.isPending}
          onClick={() => restore.mutate(selection.items)}
        >
          {t('Restore')}
        </Button>
      </SelectionBar>
      <PurgeDialog kind={kind} item={purging} onClose={() => setPurging(undefined)} />
    </Stack>
  );
}

/** Restores deleted records. Returns those that failed, with why. */
async function restoreAll(
  organizationId: string | undefined,
  items: readonly Item[],
): Promise<readonly FailedItem[]> {
  if (organizationId !== undefined) return changeItems(organizationId, { action: 'restore' }, items);
  const failed: FailedItem[] = [];
  for (const item of items) {
    try {
      await trashOf[item.kind].restore(item.id);
    } catch (error) {
      failed.push({ ...item, message: errorSentence(error) });
    }
  }
  return failed;
}
