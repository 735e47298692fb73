import { Anchor, Code, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { call } from '../app/api.ts';
import { paths } from '../app/paths.ts';
import { Form } from '../ui/forms/Form.tsx';
import { BarePage } from './BarePage.tsx';
import { rich } from '../ui/text/rich.tsx';

/** Requests a link to reset a password. The page shows the same whether or not the account exists. */
export function ForgotPasswordPage(): ReactNode {
  const { email: given } = useSearch({ from: paths.forgotPassword });
  const ask = useMutation({
    mutationFn: (email: string) => call('POST /api/auth/request-password-reset', { body: { email } }),
  });
  return (
    <BarePage title={t('Reset your password')}>
      {ask.isSuccess ? (
        <div role="status">
          {ask.data.sendsMail ? <LinkSent email={ask.variables} /> : <AskTheOperator email={ask.variables} />}
        </div>
      ) : (
        <Form
          error={ask.error}
          action={t('Send link')}
          isPending={ask.isPending}
          isFullWidth
          onSubmit={(field) => ask.mutate(field('email'))}
        >
          <Text>{t('Enter your email address to get a link for choosing a new password.')}</Text>
          <TextInput
            label={t('Email')}
            type="email"
            name="email"
            autoComplete="username"
            required
            autoFocus
            defaultValue={given}
          />
        </Form>
      )}
      <Text size="sm" ta="center">
        <Anchor component={Link} to={paths.signIn} size="sm">
          {t('Back to sign-in')}
        </Anchor>
      </Text>
    </BarePage>
  );
}

const LinkSent = ({ email }: { readonly email: string }): ReactNode => (
  <Stack gap="xs">
    <Text>
      {rich(
        'If there is an account for <b>{email}</b>, you’ll get an email with a link. The link works once and expires after an hour.',
        { email, b: (text) => <b>{text}</b> },
      )}
    </Text>
    <Text size="sm" c="dimmed">
      {t('No email? Check your spam folder and the address above.')}
    </Text>
  </Stack>
);

const AskTheOperator = ({ email }: { readonly email: string }): ReactNode => (
  <Stack gap="xs">
    <Text>
      {t(
        'No mail server is configured, so Atrium can’t send you a link. Ask the operator of this server to run this command and send you the link that it prints:',
      )}
    </Text>
    <Code style={{ overflowWrap: 'anywhere' }}>{`atrium server user reset-password --email ${email}`}</Code>
  </Stack>
);
