import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { DeviceRequest } from '#contract/credentials/device.ts';
import { t } from '#shared/language/messages.ts';
import { call, isNotFound } from '../../app/api.ts';
import { Form } from '../../ui/forms/Form.tsx';

/** What a device asks for, with the code that it shows. */
export interface AskingDevice extends DeviceRequest {
  readonly userCode: string;
}

/** Asks for the code that a device shows, which its link may contain. */
export function CodeForm({ onFound }: { readonly onFound: (device: AskingDevice) => void }): ReactNode {
  // In the fragment, which browsers never send to a server.
  const [linked] = useState(() => location.hash.slice(1, 21));
  const search = useMutation({
    mutationFn: async (userCode: string) => ({
      userCode,
      ...(await call('POST /api/auth/device-requests/read', { body: { userCode } })),
    }),
    onSuccess: onFound,
    gcTime: 0,
  });
  const isUnknown = isNotFound(search.error);
  return (
    <Form
      error={isUnknown ? undefined : search.error}
      action={t('Continue')}
      isPending={search.isPending}
      onSubmit={(field) => search.mutate(field('code').trim())}
    >
      <TextInput
        name="code"
        label={t('Code')}
        description={t('The eight letters that the device or the command line shows')}
        required
        maxLength={20}
        defaultValue={linked}
        autoComplete="off"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        error={
          isUnknown &&
          t(
            'No device is waiting with this code. A code is valid for ten minutes: start again on the device.',
          )
        }
      />
    </Form>
  );
}
