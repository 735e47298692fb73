import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DataSource } from '#contract/data-sources/data-sources.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../app/api.ts';
import { ConfirmDialog } from '../ui/actions/ConfirmDialog.tsx';
import { notifyDone } from '../ui/notifications/notify.ts';
import { sourceUsesQuery } from './source-uses.ts';
import { SourceUses } from './SourceUses.tsx';

/** Moves a table to the trash, after naming the reports that use it. */
export function DeleteTableDialog({
  source,
  name,
  close,
}: {
  readonly source: DataSource;
  readonly name: string;
  readonly close: () => void;
}): ReactNode {
  const client = useQueryClient();
  const uses = useQuery(sourceUsesQuery(source.id, name));
  const remove = useMutation({
    mutationFn: () =>
      call('DELETE /api/data-sources/{dataSourceId}/tables/{table}', {
        params: { dataSourceId: source.id, table: name },
      }),
    onSuccess: async () => {
      close();
      notifyDone(t('Moved the table {name} to the trash. You can restore it for 30 days.', { name }));
      await Promise.all([
        client.invalidateQueries({ queryKey: ['data-sources', source.id] }),
        client.invalidateQueries({ queryKey: ['trash'] }),
      ]);
    },
  });
  return (
    <ConfirmDialog
      title={t('Move the table to the trash?')}
      sentences={[
        t(
          'You can restore the table {name} for 30 days. Until it is deleted permanently, it counts toward the storage of the organization.',
          { name },
        ),
      ]}
      action={t('Move to trash')}
      opened
      onClose={close}
      onConfirm={() => remove.mutate()}
      isPending={remove.isPending || uses.isPending}
      error={remove.error ?? uses.error}
    >
      {uses.data !== undefined && <SourceUses uses={uses.data} restored="table" />}
    </ConfirmDialog>
  );
}
