import { Anchor, Button, Group, PasswordInput, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { SecondFactorMethod, SecondFactorProof } from '#contract/accounts/second-factor-proof.ts';
import { t } from '#shared/language/messages.ts';
import { ApiProblem, call, type ResponseOf } from '../app/api.ts';
import { paths } from '../app/paths.ts';
import { Failure } from '../ui/problems/Failure.tsx';
import { Form } from '../ui/forms/Form.tsx';
import { SecondFactorField } from '../ui/forms/SecondFactorField.tsx';
import { PasskeyButton } from '../ui/passkeys/PasskeyButton.tsx';
import { acceptsCode, readProof, requiredMethods } from '../ui/forms/second-factor.ts';
import { ownPath } from '../ui/browser/return-to.ts';
import { BarePage } from './BarePage.tsx';
import { useLinkToken } from './use-link-token.ts';

const hasExpired = (error: unknown): boolean =>
  error instanceof ApiProblem && error.code === 'sign_in_expired';

/** Asks for the password of an existing account before a first sign-in through the directory is linked to it. */
export function LinkPage(): ReactNode {
  const token = useLinkToken();
  const pending = useQuery({
    queryKey: ['sso-link', token],
    queryFn: ({ signal }) => call('POST /api/sso/sign-in/link/read', { body: { token }, signal }),
    staleTime: Infinity,
  });
  const { error, data } = pending;
  if (hasExpired(error)) return <ExpiredPage />;
  return (
    <BarePage title={t('Confirm it’s you')}>
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
  readonly account: ResponseOf<'POST /api/sso/sign-in/link/read'>;
}): ReactNode {
  const client = useQueryClient();
  const [methods, setMethods] = useState<readonly SecondFactorMethod[]>([]);
  const link = useMutation({
    mutationFn: (proof: { password: string; secondFactor?: SecondFactorProof }) =>
      call('POST /api/sso/sign-in/link', { body: { token, ...proof } }),
    // Only people who know the password learn whether the account has a second factor.
    onError: (error) => setMethods((before) => requiredMethods(error) ?? before),
    onSuccess({ returnTo }) {
      client.clear();
      location.replace(ownPath(returnTo));
    },
  });
  if (hasExpired(link.error)) return <Expired />;
  const entered = link.variables?.password;
  return (
    <Stack>
      <Form
        error={requiredMethods(link.error) === undefined ? link.error : undefined}
        action={t('Link and sign in')}
        isPending={link.isPending || link.isSuccess}
        isFullWidth
        onSubmit={(field) =>
          link.mutate({
            password: field('password'),
            ...(acceptsCode(methods) && field('code') !== '' && { secondFactor: readProof(field) }),
          })
        }
      >
        <Text>
          {t(
            'You signed in through the directory of {organizationName}, where an account with your email address already exists. Enter its password to link the two. You only need to do this once.',
            { organizationName },
          )}
        </Text>
        <TextInput label={t('Email')} name="email" value={email} readOnly autoComplete="username" />
        <PasswordInput
          label={t('Password')}
          name="password"
          description={t('Your Atrium password, not your directory password')}
          autoComplete="current-password"
          required
          autoFocus
        />
        <SecondFactorField methods={methods} />
        <Text size="sm">
          <Anchor renderRoot={(props) => <Link {...props} to={paths.forgotPassword} search={{ email }} />}>
            {t('Forgot password?')}
          </Anchor>
        </Text>
      </Form>
      {methods.includes('passkey') && entered !== undefined && (
        <PasskeyButton
          start={() => call('POST /api/sso/sign-in/link/options', { body: { token } })}
          send={(assertion) =>
            link.mutateAsync({ password: entered, secondFactor: { method: 'passkey', assertion } })
          }
          onDone={() => {}}
        >
          {t('Use your passkey')}
        </PasskeyButton>
      )}
      <Text size="sm" c="dimmed">
        {t(
          'Not your account? Ask an admin of {organizationName} to remove it from the members, then sign in again.',
          { organizationName },
        )}
      </Text>
    </Stack>
  );
}

const ExpiredPage = (): ReactNode => (
  <BarePage title={t('This sign-in has expired')}>
    <Expired />
  </BarePage>
);

const Expired = (): ReactNode => (
  <div role="alert">
    <Text mb="md">
      {t(
        'It was completed, cancelled or started in another browser, or it took longer than ten minutes. Sign in again.',
      )}
    </Text>
    <Group>
      <Button component={Link} to={paths.signIn}>
        {t('Sign in')}
      </Button>
    </Group>
  </div>
);
