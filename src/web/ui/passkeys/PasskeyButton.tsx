import { Stack } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PasskeyAssertion } from '#contract/accounts/passkey-assertion.ts';
import { ActionButton } from '../actions/ActionButton.tsx';
import { Failure } from '../problems/Failure.tsx';
import { passkeyReason, signWithPasskey } from './ceremonies.ts';

/** Asks for a passkey and sends what it signed. It is disabled, with the reason, where passkeys don't work. */
export function PasskeyButton({
  children,
  variant = 'default',
  start,
  send,
  onDone,
}: {
  /** The label. */
  readonly children: ReactNode;
  readonly variant?: 'default' | 'filled';
  /** Returns the options with a new challenge. */
  readonly start: () => Promise<Record<string, unknown>>;
  readonly send: (assertion: PasskeyAssertion) => Promise<unknown>;
  readonly onDone: () => void;
}): ReactNode {
  const use = useMutation({
    mutationFn: async () => send(await signWithPasskey(await start())),
    onSuccess: onDone,
  });
  return (
    <Stack>
      <ActionButton
        variant={variant}
        fullWidth
        leftSection={<IconFingerprint size={18} />}
        reason={passkeyReason()}
        loading={use.isPending || use.isSuccess}
        onClick={() => use.mutate()}
      >
        {children}
      </ActionButton>
      {use.error !== null && <Failure error={use.error} />}
    </Stack>
  );
}
