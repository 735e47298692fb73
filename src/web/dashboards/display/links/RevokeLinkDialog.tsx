import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { DisplayLink } from '#contract/dashboards/display.ts';
import { t } from '#shared/language/messages.ts';
import { call, isNotFound } from '../../../app/api.ts';
import { ConfirmDialog } from '../../../ui/actions/ConfirmDialog.tsx';
import { notifyDone } from '../../../ui/notifications/notify.ts';
import { displayLinksQuery } from './queries.ts';

/** Asks whether to revoke a link; undefined if none was chosen. */
export function RevokeLinkDialog({
  dashboardId,
  link,
  onClose,
}: {
  readonly dashboardId: string;
  readonly link: DisplayLink | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  // The dialog still shows it while it closes.
  const [shown, setShown] = useState(link);
  if (link !== undefined && link !== shown) setShown(link);
  const revoke = useMutation({
    mutationFn: async (linkId: string) => {
      const path = 'DELETE /api/dashboards/{dashboardId}/display-links/{linkId}';
      // Another person may have revoked it.
      await call(path, { params: { dashboardId, linkId } }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    },
    onSuccess: () => {
      notifyDone(t('Link revoked.'));
      onClose();
    },
    onSettled: () => client.invalidateQueries(displayLinksQuery(dashboardId)),
  });
  return (
    <ConfirmDialog
      title={t('Revoke the link “{name}”?', { name: shown?.name ?? '' })}
      sentences={[t('Displays that show it stop within a minute. You can’t undo this.')]}
      action={t('Revoke')}
      opened={link !== undefined}
      onClose={() => {
        revoke.reset();
        onClose();
      }}
      onConfirm={() => link !== undefined && revoke.mutate(link.id)}
      isPending={revoke.isPending}
      error={revoke.error}
    />
  );
}
