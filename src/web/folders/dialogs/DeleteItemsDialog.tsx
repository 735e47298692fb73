import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { ConfirmDialog } from '../../ui/actions/ConfirmDialog.tsx';
import { changeItems, refreshFolders, type FailedItem, type Item } from '../../ui/folders/queries.ts';
import { notifyDeleted } from '../../ui/notifications/notify-deleted.tsx';
import { notifyNotDone } from '../../ui/notifications/notify.ts';
import { FailedItems } from '../../ui/selection/FailedItems.tsx';

/** Asks for confirmation before dashboards or reports are moved to the trash, and shows which of them weren't. */
export function DeleteItemsDialog({
  orgId,
  items,
  onDone,
  close,
}: {
  readonly orgId: string;
  readonly items: readonly Item[];
  readonly onDone: () => void;
  readonly close: () => void;
}): ReactNode {
  const client = useQueryClient();
  const [failed, setFailed] = useState<readonly FailedItem[]>([]);
  const left = failed.length === 0 ? items : items.filter(({ id }) => failed.some((each) => each.id === id));
  const remove = useMutation({
    mutationFn: () => changeItems(orgId, { action: 'delete' }, left),
    onSuccess: async (notDeleted) => {
      const deleted = left.filter(({ id }) => notDeleted.every((each) => each.id !== id));
      if (deleted.length > 0) notifyItemsDeleted(deleted);
      setFailed(notDeleted);
      if (notDeleted.length === 0) {
        onDone();
        close();
      }
      await refreshFolders(client);
    },
  });
  const notifyItemsDeleted = (deleted: readonly Item[]) => {
    const count = deleted.length;
    const message = t('Moved {count, plural, one {# item} other {# items}} to the trash.', { count });
    notifyDeleted(deleted[0]?.id ?? '', message, async () => {
      const notRestored = await changeItems(orgId, { action: 'restore' }, deleted);
      await refreshFolders(client);
      for (const { name, message } of notRestored)
        notifyNotDone(t('Not restored'), t('{name}: {message}', { name, message }));
    });
  };
  return (
    <ConfirmDialog
      title={t('Delete {count, plural, one {# item} other {# items}}?', { count: left.length })}
      sentences={[t('This moves what you have selected to the trash. You can restore it for 30 days.')]}
      action={failed.length === 0 ? t('Delete') : t('Try again')}
      opened
      onClose={close}
      onConfirm={() => remove.mutate()}
      isPending={remove.isPending}
      error={remove.error}
    >
      <FailedItems title={t('Not deleted')} items={failed} />
    </ConfirmDialog>
  );
}
