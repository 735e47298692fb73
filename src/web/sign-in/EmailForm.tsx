import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { Form } from '../ui/forms/Form.tsx';
import { call } from '../app/api.ts';

/** Asks the server how an address signs in, then opens the directory or continues to the password. */
export function EmailForm({
  email,
  returnTo,
  onEmail,
  onPassword,
}: {
  readonly email: string;
  readonly returnTo: string | undefined;
  readonly onEmail: (email: string) => void;
  readonly onPassword: () => void;
}): ReactNode {
  const start = useMutation({
    mutationFn: () =>
      call('POST /api/sso/sign-in', { body: { email, ...(returnTo !== undefined && { returnTo }) } }),
    onSuccess: ({ method, url }) => {
      if (method === 'sso') location.assign(url);
      else onPassword();
    },
  });
  return (
    <Form
      error={start.error}
      action={t('Continue')}
      isPending={start.isPending || start.isSuccess}
      isFullWidth
      onSubmit={() => start.mutate()}
    >
      <TextInput
        label={t('Email')}
        type="email"
        name="email"
        autoComplete="username"
        required
        autoFocus
        value={email}
        onChange={(event) => onEmail(event.currentTarget.value)}
      />
    </Form>
  );
}
