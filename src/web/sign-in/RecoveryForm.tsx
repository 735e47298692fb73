import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode, SubmitEvent } from 'react';
import { call } from '../app/api.ts';
import { Failure } from '../ui/problems/Failure.tsx';
import { fieldOf } from '../ui/form-fields.ts';

/** Signs an owner in by a code that was written down, whatever the directory answers. */
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
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    recover.mutate({ email: fieldOf(form, 'email'), code: fieldOf(form, 'code') });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" c="dimmed">
          For owners who can’t sign in through their organization’s directory. Each code works once, and only
          for the owner who created it.
        </Text>
        <TextInput
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          required
          defaultValue={email}
        />
        <TextInput
          label="Recovery code"
          name="code"
          required
          autoFocus
          autoComplete="one-time-code"
          spellCheck={false}
          placeholder="xxxxx-xxxxx-xxxxx-xxxxx"
          description="Capitals, spaces and hyphens do not matter"
        />
        {recover.error !== null && <Failure error={recover.error} />}
        <Button type="submit" loading={recover.isPending || recover.isSuccess}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
