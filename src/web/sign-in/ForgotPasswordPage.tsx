import { Anchor, Button, Code, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode, SubmitEvent } from 'react';
import { call } from '../api.ts';
import { paths } from '../paths.ts';
import { Failure } from '../ui/Failure.tsx';
import { fieldOf } from '../ui/form-fields.ts';
import { BarePage } from './BarePage.tsx';

/** Asks for a link to reset a password. What it says is the same whether there is such an account or not. */
export function ForgotPasswordPage(): ReactNode {
  const { email: given } = useSearch({ from: paths.forgotPassword });
  const ask = useMutation({
    mutationFn: (email: string) => call('POST /api/auth/request-password-reset', { body: { email } }),
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    ask.mutate(fieldOf(event.currentTarget, 'email'));
  };
  return (
    <BarePage title="Reset your password">
      {ask.isSuccess ? (
        <div role="status">
          {ask.data.sendsMail ? <LinkSent email={ask.variables} /> : <AskTheOperator email={ask.variables} />}
        </div>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <Text>You get a link by mail to choose a new password.</Text>
            <TextInput
              label="E-mail"
              type="email"
              name="email"
              autoComplete="username"
              required
              autoFocus
              defaultValue={given}
            />
            {ask.error !== null && <Failure error={ask.error} />}
            <Button type="submit" loading={ask.isPending}>
              Send link
            </Button>
          </Stack>
        </form>
      )}
      <Text size="sm" ta="center">
        <Anchor component={Link} to={paths.signIn} size="sm">
          Back to sign-in
        </Anchor>
      </Text>
    </BarePage>
  );
}

const LinkSent = ({ email }: { readonly email: string }): ReactNode => (
  <Stack gap="xs">
    <Text>
      If there is an account for <b>{email}</b>, a mail is on its way to it. The link works once, within an
      hour.
    </Text>
    <Text size="sm" c="dimmed">
      No mail? Look in the spam folder, and check the address.
    </Text>
  </Stack>
);

const AskTheOperator = ({ email }: { readonly email: string }): ReactNode => (
  <Stack gap="xs">
    <Text>
      This server has no mail server, so it can’t send you a link. Ask its operator to run this command, and
      to give you the link that it prints:
    </Text>
    <Code style={{ overflowWrap: 'anywhere' }}>npm run atrium -- user reset-password --email {email}</Code>
  </Stack>
);
