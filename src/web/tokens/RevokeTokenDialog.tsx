import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Token } from '#contract/credentials/tokens.ts';
import { t } from '#shared/language/messages.ts';
import { isNotFound } from '../app/api.ts';
import { ConfirmDialog } from '../ui/actions/ConfirmDialog.tsx';
import { notifyDone } from '../ui/notifications/notify.ts';
import { tokensKey } from './queries.ts';

/** Asks whether to revoke a token; undefined if none was chosen. */
export function RevokeTokenDialog({
  token,
  revoke,
  onClose,
}: {
  readonly token: Token | undefined;
  readonly revoke: (token: Token) => Promise<unknown>;
  readonly onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  // The dialog still shows it while it closes.
  const [shown, setShown] = useState(token);
  if (token !== undefined && token !== shown) setShown(token);
  const revocation = useMutation({
    mutationFn: (chosen: Token) =>
      // Another person may have revoked it.
      revoke(chosen).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      }),
    onSuccess: () => {
      notifyDone(t('Token revoked.'));
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: tokensKey }),
  });
  return (
    <ConfirmDialog
      title={t('Revoke the token “{name}”?', { name: shown?.name ?? '' })}
      sentences={[t('Programs that use it are refused immediately. You can’t undo this.')]}
      action={t('Revoke')}
      opened={token !== undefined}
      onClose={() => {
        revocation.reset();
        onClose();
      }}
      onConfirm={() => token !== undefined && revocation.mutate(token)}
      isPending={revocation.isPending}
      error={revocation.error}
    />
  );
}
