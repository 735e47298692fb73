import { Anchor, Divider, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SecondFactorMethod, SecondFactorProof } from '#contract/accounts/second-factor-proof.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../app/api.ts';
import { Form } from '../ui/forms/Form.tsx';
import { SecondFactorField } from '../ui/forms/SecondFactorField.tsx';
import { PasskeyButton } from '../ui/passkeys/PasskeyButton.tsx';
import { acceptsCode, readProof } from '../ui/forms/second-factor.ts';

/** The second step of signing in with a password: a passkey, a code from the authenticator app, or a recovery code. */
export function SecondStepForm({
  methods,
  onSignedIn,
  onStartAgain,
}: {
  readonly methods: readonly SecondFactorMethod[];
  readonly onSignedIn: () => void;
  readonly onStartAgain: () => void;
}): ReactNode {
  const completion = useMutation({
    mutationFn: (body: SecondFactorProof) => call('POST /api/auth/sign-in/second-factor', { body }),
    onSuccess: onSignedIn,
  });
  const hasPasskey = methods.includes('passkey');
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('Your password is correct. Your account also needs a second factor.')}
      </Text>
      {hasPasskey && (
        <PasskeyButton
          variant="filled"
          start={() => call('POST /api/auth/sign-in/second-factor/options')}
          send={(assertion) => completion.mutateAsync({ method: 'passkey', assertion })}
          onDone={() => {}}
        >
          {t('Use your passkey')}
        </PasskeyButton>
      )}
      {hasPasskey && acceptsCode(methods) && <Divider label={t('or')} />}
      {acceptsCode(methods) && (
        <Form
          error={completion.variables?.method === 'passkey' ? undefined : completion.error}
          action={t('Sign in')}
          isPending={completion.isPending || completion.isSuccess}
          isFullWidth
          onSubmit={(field) => completion.mutate(readProof(field))}
        >
          <SecondFactorField methods={methods} autoFocus={!hasPasskey} />
        </Form>
      )}
      <Text size="sm">
        <Anchor component="button" type="button" size="sm" onClick={onStartAgain}>
          {t('Enter your password again')}
        </Anchor>
      </Text>
    </Stack>
  );
}
