import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode, SubmitEvent } from 'react';
import { call } from '../app/api.ts';
import { Failure } from '../ui/problems/Failure.tsx';

/** Asks the server where an address signs in: goes to the directory, or on to the password. */
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
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    start.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={(event) => onEmail(event.currentTarget.value)}
        />
        {start.error !== null && <Failure error={start.error} />}
        <Button type="submit" loading={start.isPending || start.isSuccess}>
          Continue
        </Button>
      </Stack>
    </form>
  );
}
