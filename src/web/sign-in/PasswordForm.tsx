import { Alert, Anchor, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { ApiProblem, call } from '../app/api.ts';
import { paths } from '../app/paths.ts';
import { Form } from '../ui/forms/Form.tsx';
import { requiredMethods } from '../ui/forms/second-factor.ts';
import type { SecondFactorMethod } from '#contract/accounts/second-factor-proof.ts';

/** Signs in with a password, alone or as the first step, and explains what to do if the organization requires single sign-on. */
export function PasswordForm({
  email,
  onSignedIn,
  onSecondFactor,
  onOtherEmail,
  onRecovery,
}: {
  readonly email: string;
  readonly onSignedIn: () => void;
  /** Called with what the account accepts if the password was correct, but is not enough. */
  readonly onSecondFactor: (methods: readonly SecondFactorMethod[]) => void;
  readonly onOtherEmail: () => void;
  readonly onRecovery: () => void;
}): ReactNode {
  const signIn = useMutation({
    mutationFn: (password: string) => call('POST /api/auth/sign-in/email', { body: { email, password } }),
    onSuccess: onSignedIn,
    onError: (error) => {
      const methods = requiredMethods(error);
      if (methods !== undefined) onSecondFactor(methods);
    },
  });
  const requiresSso = signIn.error instanceof ApiProblem && signIn.error.code === 'sso_required';
  return (
    <Form
      error={requiresSso ? undefined : signIn.error}
      action={t('Sign in')}
      isPending={signIn.isPending || signIn.isSuccess}
      isFullWidth
      onSubmit={(field) => signIn.mutate(field('password'))}
    >
      <TextInput label={t('Email')} name="email" value={email} readOnly autoComplete="username" />
      <PasswordInput
        label={t('Password')}
        name="password"
        autoComplete="current-password"
        required
        autoFocus
      />
      <Group justify="space-between">
        <Anchor component="button" type="button" size="sm" onClick={onOtherEmail}>
          {t('Use another email')}
        </Anchor>
        <Anchor
          size="sm"
          renderRoot={(props) => <Link {...props} to={paths.forgotPassword} search={{ email }} />}
        >
          {t('Forgot password?')}
        </Anchor>
      </Group>
      {requiresSso && <SsoRequired onOtherEmail={onOtherEmail} onRecovery={onRecovery} />}
    </Form>
  );
}

const SsoRequired = ({
  onOtherEmail,
  onRecovery,
}: {
  readonly onOtherEmail: () => void;
  readonly onRecovery: () => void;
}): ReactNode => (
  <Alert role="alert" title={t('Your organization requires single sign-on')}>
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        {t(
          'You can’t sign in with a password. Enter the email address that your organization gave you to sign in through its directory, or open Atrium from your organization’s app portal.',
        )}
      </Text>
      <Button size="xs" variant="default" onClick={onOtherEmail}>
        {t('Sign in through the directory')}
      </Button>
      <Text size="sm">{t('Are you an owner, and the directory isn’t working?')}</Text>
      <Button size="xs" variant="default" onClick={onRecovery}>
        {t('Sign in with a recovery code')}
      </Button>
    </Stack>
  </Alert>
);
