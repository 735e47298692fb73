import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../app/api.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { notifyDone } from '../ui/notify.ts';
import type { InBin } from './trash-queries.ts';

/** Asks whether something in the bin shall go for good. */
export function PurgeDialog({
  item,
  onClose,
}: {
  readonly item: InBin | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  const purge = useMutation({
    mutationFn: purgeItem,
    onSuccess: (_, { name }) => {
      notifyDone(`“${name}” is gone for good.`);
      onClose();
      return client.invalidateQueries({ queryKey: ['bin'] });
    },
  });
  const close = () => {
    purge.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      title="Delete for good?"
      sentences={
        item === undefined ? [] : [`“${item.name}” goes with its history. Nobody can bring it back.`]
      }
      action="Delete for good"
      wayBack="Keep it"
      opened={item !== undefined}
      onClose={close}
      onConfirm={() => item !== undefined && purge.mutate(item)}
      isPending={purge.isPending}
      error={purge.error}
    />
  );
}

async function purgeItem({ kind, id }: InBin): Promise<void> {
  if (kind === 'dashboard') {
    await call('DELETE /api/bin/dashboards/{dashboardId}', { params: { dashboardId: id } });
  } else {
    await call('DELETE /api/bin/reports/{reportId}', { params: { reportId: id } });
  }
}
