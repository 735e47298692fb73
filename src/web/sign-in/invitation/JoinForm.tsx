import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { ApiProblem, call, type ResponseOf } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { NewPasswordField } from '../NewPasswordField.tsx';
import { roleWithArticle } from '../../ui/text/roles.ts';

/** Accepts an invitation for people who aren't signed in: with a new account, or with the password of an existing one. */
export function JoinForm({
  token,
  invitation,
  onJoined,
}: {
  readonly token: string;
  readonly invitation: ResponseOf<'POST /api/invitations/read'>;
  readonly onJoined: () => void;
}): ReactNode {
  const { email, role, organizationName, hasAccount } = invitation;
  const join = useMutation({
    mutationFn: async ({ name, password }: { name: string; password: string }) => {
      if (!hasAccount) return call('POST /api/invitations/sign-up', { body: { token, name, password } });
      await call('POST /api/auth/sign-in/email', { body: { email, password } });
      return call('POST /api/invitations/accept', { body: { token } });
    },
    onSuccess: onJoined,
  });
  const code = join.error instanceof ApiProblem ? join.error.code : undefined;
  return (
    <Form
      error={code === 'sso_required' ? undefined : join.error}
      pointers={['/password']}
      action={t('Join')}
      isPending={join.isPending || join.isSuccess}
      isFullWidth
      onSubmit={(field) => join.mutate({ name: field('name'), password: field('password') })}
    >
      <Text>
        {hasAccount
          ? t('Sign in to join {organizationName} as {role}.', {
              organizationName,
              role: roleWithArticle(role),
            })
          : t('Create your account to join {organizationName} as {role}.', {
              organizationName,
              role: roleWithArticle(role),
            })}
      </Text>
      {!hasAccount && (
        <TextInput
          label={t('Your name')}
          name="name"
          autoComplete="name"
          required
          autoFocus
          maxLength={200}
        />
      )}
      <TextInput label={t('Email')} name="email" value={email} readOnly autoComplete="username" />
      {hasAccount ? (
        <PasswordInput label={t('Password')} name="password" required autoComplete="current-password" />
      ) : (
        <NewPasswordField label={t('Password')} name="password" pointer="/password" error={join.error} />
      )}
      {code === 'sso_required' && <SsoRequired organizationName={organizationName} />}
    </Form>
  );
}

/** Shown if the organization, which they may have joined by now, requires single sign-on. */
const SsoRequired = ({ organizationName }: { readonly organizationName: string }): ReactNode => (
  <Alert role="alert" title={t('Single sign-on is required')}>
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        {t(
          '{organizationName}, or another organization that you’re a member of, requires single sign-on. Sign in through its directory. You don’t need the invitation for that.',
          { organizationName },
        )}
      </Text>
      <Button component={Link} to={paths.signIn} size="xs" variant="default">
        {t('Sign in through the directory')}
      </Button>
    </Stack>
  </Alert>
);
