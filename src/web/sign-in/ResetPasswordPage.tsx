import { Anchor, Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiProblem, call } from '../app/api.ts';
import { paths } from '../app/paths.ts';
import { Form } from '../ui/forms/Form.tsx';
import { counted } from '../ui/text/nouns.ts';
import { BarePage } from './BarePage.tsx';
import { NewPasswordField } from './NewPasswordField.tsx';
import { useLinkToken } from './use-link-token.ts';

/** Asks for a new password, for the token of a mailed link. */
export function ResetPasswordPage(): ReactNode {
  const token = useLinkToken();
  const client = useQueryClient();
  const reset = useMutation({
    mutationFn: (newPassword: string) =>
      call('POST /api/auth/reset-password', { body: { token, newPassword } }),
    onSuccess: () => {
      client.clear();
      // The token is used up: remove it from the history, too.
      history.replaceState(history.state, '', location.pathname);
    },
  });
  if (reset.isSuccess) {
    return (
      <BarePage title="Your password was changed">
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
  const isInvalid = reset.error instanceof ApiProblem && reset.error.code === 'link_not_valid';
  if (token === '' || isInvalid) return <InvalidLink />;
  return (
    <BarePage title="Choose a new password">
      <Form
        error={reset.error}
        pointers={['/newPassword']}
        action="Change password"
        isPending={reset.isPending}
        isFullWidth
        onSubmit={(field) => reset.mutate(field('password'))}
      >
        <Text>You’ll be signed out everywhere and can then sign in with the new password.</Text>
        <NewPasswordField label="New password" name="password" pointer="/newPassword" error={reset.error} />
      </Form>
    </BarePage>
  );
}

const InvalidLink = (): ReactNode => (
  <BarePage title="This link is not valid">
    <div role="alert">
      <Text mb="md">
        A link works once and expires after an hour, and a newer one replaces it. Open the complete link from
        your latest email, or request a new one.
      </Text>
      <Button component={Link} to={paths.forgotPassword}>
        Request a new link
      </Button>
    </div>
    <Text size="sm" ta="center">
      <Anchor component={Link} to={paths.signIn} size="sm">
        Back to sign-in
      </Anchor>
    </Text>
  </BarePage>
);
