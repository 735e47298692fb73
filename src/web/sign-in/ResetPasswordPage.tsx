import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { ApiProblem, call } from '../api.ts';
import { paths } from '../paths.ts';
import { Failure } from '../ui/Failure.tsx';
import { isToldByFields } from '../ui/field-faults.ts';
import { fieldOf } from '../ui/form-fields.ts';
import { counted } from '../ui/words.ts';
import { BarePage } from './BarePage.tsx';
import { NewPasswordField } from './NewPasswordField.tsx';

/** Chooses a new password by the link that was mailed, whose token is behind `#`, where no log has it. */
export function ResetPasswordPage(): ReactNode {
  const [token] = useState(() => location.hash.slice(1));
  const client = useQueryClient();
  const reset = useMutation({
    mutationFn: (newPassword: string) =>
      call('POST /api/auth/reset-password', { body: { token, newPassword } }),
    onSuccess: () => {
      client.clear();
      // The token is used up; it leaves the history too.
      history.replaceState(history.state, '', location.pathname);
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    reset.mutate(fieldOf(event.currentTarget, 'password'));
  };
  if (reset.isSuccess) {
    return (
      <BarePage title="Your password is changed">
        <Text role="status">
          {reset.data.endedSessions === 0
            ? 'Sign in with the new password.'
            : `You were signed out of ${counted(reset.data.endedSessions, 'session')}. Sign in with the new password.`}
        </Text>
        <Button component={Link} to={paths.signIn}>
          Sign in
        </Button>
      </BarePage>
    );
  }
  const isOver = reset.error instanceof ApiProblem && reset.error.code === 'link_not_valid';
  if (token === '' || isOver) return <LinkIsOver />;
  return (
    <BarePage title="Choose a new password">
      <form onSubmit={submit}>
        <Stack>
          <Text>You are signed out everywhere, and sign in with the new password.</Text>
          <NewPasswordField label="New password" name="password" pointer="/newPassword" error={reset.error} />
          {reset.error !== null && !isToldByFields(reset.error, ['/newPassword']) && (
            <Failure error={reset.error} />
          )}
          <Button type="submit" loading={reset.isPending}>
            Change password
          </Button>
        </Stack>
      </form>
    </BarePage>
  );
}

const LinkIsOver = (): ReactNode => (
  <BarePage title="This link is not valid">
    <div role="alert">
      <Text mb="md">
        It works once, within an hour, and only the newest one does. Open the whole link of the last mail, or
        ask for a new one.
      </Text>
      <Button component={Link} to={paths.forgotPassword}>
        Ask for a new link
      </Button>
    </div>
    <Text size="sm" ta="center">
      <Anchor component={Link} to={paths.signIn} size="sm">
        Back to sign-in
      </Anchor>
    </Text>
  </BarePage>
);
