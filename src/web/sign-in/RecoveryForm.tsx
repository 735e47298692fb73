import { Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { call } from '../app/api.ts';
import { Form } from '../ui/forms/Form.tsx';

/** Signs an owner in with a recovery code, for when the directory fails. */
export function RecoveryForm({
  email,
  onSignedIn,
}: {
  readonly email: string;
  readonly onSignedIn: () => void;
}): ReactNode {
  const recover = useMutation({
    mutationFn: (body: { email: string; code: string }) => call('POST /api/auth/sign-in/recovery', { body }),
    onSuccess: onSignedIn,
  });
  return (
    <Form
      error={recover.error}
      action={t('Sign in')}
      isPending={recover.isPending || recover.isSuccess}
      isFullWidth
      onSubmit={(field) => recover.mutate({ email: field('email'), code: field('code') })}
    >
      <Text size="sm" c="dimmed">
        {t(
          'For owners who can’t sign in through their organization’s directory. Each code works once, and only for the owner who created it.',
        )}
      </Text>
      <TextInput
        label={t('Email')}
        type="email"
        name="email"
        autoComplete="username"
        required
        defaultValue={email}
      />
      <TextInput
        label={t('Recovery code')}
        name="code"
        required
        autoFocus
        autoComplete="one-time-code"
        spellCheck={false}
        placeholder="xxxxx-xxxxx-xxxxx-xxxxx"
        description={t('Capitalization, spaces and hyphens don’t matter')}
      />
    </Form>
  );
}
