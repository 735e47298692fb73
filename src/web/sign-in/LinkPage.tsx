import { Anchor, Button, Group, PasswordInput, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { ApiProblem, call, type AnswerOf } from '../api.ts';
import { paths } from '../paths.ts';
import { Failure } from '../ui/Failure.tsx';
import { fieldOf } from '../ui/form-fields.ts';
import { ownPath } from '../ui/return-to.ts';
import { BarePage } from './BarePage.tsx';

const isOver = (error: unknown): boolean => error instanceof ApiProblem && error.code === 'sign_in_expired';

/**
 * Asks for the password of the account that a first sign-in through the directory would be linked to; the token of the
 * sign-in is behind `#`, where no log has it.
 */
export function LinkPage(): ReactNode {
  const [token] = useState(() => location.hash.slice(1));
  const pending = useQuery({
    queryKey: ['sso-link', token],
    queryFn: ({ signal }) => call('POST /api/sso/sign-in/link/read', { body: { token }, signal }),
    staleTime: Infinity,
  });
  const { error, data } = pending;
  if (isOver(error)) return <LinkIsOver />;
  return (
    <BarePage title="Confirm it’s you">
      {error !== null ? (
        <Failure error={error} retry={() => void pending.refetch()} />
      ) : data === undefined ? (
        <Skeleton h={280} />
      ) : (
        <LinkForm token={token} account={data} />
      )}
    </BarePage>
  );
}

function LinkForm({
  token,
  account: { email, organizationName },
}: {
  readonly token: string;
  readonly account: AnswerOf<'POST /api/sso/sign-in/link/read'>;
}): ReactNode {
  const client = useQueryClient();
  const link = useMutation({
    mutationFn: (password: string) => call('POST /api/sso/sign-in/link', { body: { token, password } }),
    onSuccess({ returnTo }) {
      client.clear();
      location.replace(ownPath(returnTo));
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    link.mutate(fieldOf(event.currentTarget, 'password'));
  };
  if (isOver(link.error)) return <Expired />;
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>
          You signed in through the directory of {organizationName}, where an account with your e-mail address
          already exists. Enter its password to link the two. You only need to do this once.
        </Text>
        <TextInput label="E-mail" name="email" value={email} readOnly autoComplete="username" />
        <PasswordInput
          label="Password"
          name="password"
          description="The password of your account here, not the one of the directory"
          autoComplete="current-password"
          required
          autoFocus
        />
        <Text size="sm">
          <Anchor renderRoot={(props) => <Link {...props} to={paths.forgotPassword} search={{ email }} />}>
            Forgot password?
          </Anchor>
        </Text>
        {link.error !== null && <Failure error={link.error} />}
        <Button type="submit" loading={link.isPending || link.isSuccess}>
          Link and sign in
        </Button>
        <Text size="sm" c="dimmed">
          Is this account not yours? Ask an admin of {organizationName} to remove it from the members, then
          sign in again.
        </Text>
      </Stack>
    </form>
  );
}

const LinkIsOver = (): ReactNode => (
  <BarePage title="This sign-in has expired">
    <Expired />
  </BarePage>
);

const Expired = (): ReactNode => (
  <div role="alert">
    <Text mb="md">
      It was completed, canceled, or started in another browser, or it took longer than ten minutes. Sign in
      again.
    </Text>
    <Group>
      <Button component={Link} to={paths.signIn}>
        Sign in
      </Button>
    </Group>
  </div>
);
