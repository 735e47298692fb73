import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { ConfirmDialog } from '../ui/actions/ConfirmDialog.tsx';
import { notifyDone } from '../ui/notifications/notify.ts';
import { trashOf, type Deleted, type RecordKind } from '../ui/server-data/trash.ts';

/** Asks for confirmation before a record in the trash is deleted permanently. */
export function PurgeDialog({
  kind,
  item,
  onClose,
}: {
  readonly kind: RecordKind;
  readonly item: Deleted | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  const purge = useMutation({
    mutationFn: ({ id }: Deleted) => trashOf[kind].purge(id),
    onSuccess: (_, { name }) => {
      notifyDone(t('Permanently deleted “{name}”.', { name }));
      onClose();
      return client.invalidateQueries({ queryKey: ['trash'] });
    },
  });
  const close = () => {
    purge.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      title={t('Delete permanently?')}
      sentences={
        item === undefined
          ? []
          : [
              t("This deletes “{name}” and its history permanently. You can't undo this.", {
                name: item.name,
              }),
            ]
      }
      action={t('Delete permanently')}
      opened={item !== undefined}
      onClose={close}
      onConfirm={() => item !== undefined && purge.mutate(item)}
      isPending={purge.isPending}
      error={purge.error}
    />
  );
}
