import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState, type SubmitEvent, type ReactNode } from 'react';
import { call } from '../api.ts';
import { paths } from '../paths.ts';
import { Failure } from '../ui/Failure.tsx';
import { ownPath } from '../ui/return-to.ts';
import { fieldOf } from '../ui/form-fields.ts';
import { BarePage } from './BarePage.tsx';

/** The e-mail first: its domain tells whether the directory or a password comes next. */
export function SignInPage(): ReactNode {
  const { returnTo, email: given } = useSearch({ from: paths.signIn });
  const [email, setEmail] = useState(given ?? '');
  const [isPassword, setIsPassword] = useState(given !== undefined);
  const client = useQueryClient();

  const start = useMutation({
    mutationFn: () =>
      call('POST /api/sso/sign-in', { body: { email, ...(returnTo !== undefined && { returnTo }) } }),
    onSuccess: ({ method, url }) => {
      if (method === 'sso') location.assign(url);
      else setIsPassword(true);
    },
  });
  const signIn = useMutation({
    mutationFn: (password: string) => call('POST /api/auth/sign-in/email', { body: { email, password } }),
    onSuccess: () => {
      client.clear();
      location.assign(ownPath(returnTo));
    },
  });

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isPassword) signIn.mutate(fieldOf(event.currentTarget, 'password'));
    else start.mutate();
  };
  const isBusy = start.isPending || signIn.isPending || (start.isSuccess && !isPassword);
  return (
    <BarePage title="Sign in">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="E-mail"
            type="email"
            name="email"
            autoComplete="username"
            required
            autoFocus={!isPassword}
            readOnly={isPassword}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          {isPassword && (
            <>
              <PasswordInput
                label="Password"
                name="password"
                autoComplete="current-password"
                required
                autoFocus
              />
              <Text size="sm">
                <Anchor component="button" type="button" onClick={() => setIsPassword(false)}>
                  Another e-mail
                </Anchor>
              </Text>
            </>
          )}
          {start.error !== null && <Failure error={start.error} />}
          {signIn.error !== null && <Failure error={signIn.error} />}
          <Button type="submit" loading={isBusy}>
            {isPassword ? 'Sign in' : 'Continue'}
          </Button>
        </Stack>
      </form>
    </BarePage>
  );
}
