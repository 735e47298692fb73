import { Anchor, Button, Divider, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import type { SecondFactorMethod, SecondFactorProof } from '#contract/accounts/second-factor-proof.ts';
import { t } from '#shared/language/messages.ts';
import { addressOf, call, onConfirmationRequired } from '../../api.ts';
import { paths } from '../../paths.ts';
import { Failure } from '../../../ui/problems/Failure.tsx';
import { Form } from '../../../ui/forms/Form.tsx';
import { SecondFactorField } from '../../../ui/forms/SecondFactorField.tsx';
import { PasskeyButton } from '../../../ui/passkeys/PasskeyButton.tsx';
import { acceptsCode, readProof } from '../../../ui/forms/second-factor.ts';
import { accountQuery, sessionQuery } from '../../../ui/server-data/session.ts';
import { useSignOut } from './use-sign-out.ts';
import { rich } from '../../../ui/text/rich.tsx';

/** Asks people to confirm their identity when the server requires it, and then repeats the request that needed it. */
export function ConfirmIdentity(): ReactNode {
  const [settle, setSettle] = useState<(isConfirmed: boolean) => void>();
  useEffect(() => onConfirmationRequired(() => new Promise((resolve) => setSettle(() => resolve))), []);
  const close = (isConfirmed: boolean) => {
    settle?.(isConfirmed);
    setSettle(undefined);
  };
  return (
    <Modal
      opened={settle !== undefined}
      onClose={() => close(false)}
      title={t('Confirm it’s you')}
      centered
      // Above the dialog whose action has to be confirmed.
      zIndex={300}
    >
      {settle !== undefined && <Proofs onConfirmed={() => close(true)} onCancel={() => close(false)} />}
    </Modal>
  );
}

function Proofs({
  onConfirmed,
  onCancel,
}: {
  readonly onConfirmed: () => void;
  readonly onCancel: () => void;
}): ReactNode {
  const { data: account, error } = useQuery(accountQuery);
  const { data: signedIn } = useQuery(sessionQuery);
  if (error !== null) return <Failure error={error} />;
  if (account === undefined || signedIn === undefined) return null;
  const { method, organizationId } = signedIn.session;
  return (
    <Stack>
      <Text size="sm">
        {t('To continue, confirm your identity. You won’t be asked again for ten minutes.')}
      </Text>
      {account.secondFactors.includes('passkey') && (
        <PasskeyButton
          variant="filled"
          start={() => call('POST /api/auth/confirm/options')}
          send={(assertion) => call('POST /api/auth/confirm', { body: { assertion } })}
          onDone={onConfirmed}
        >
          {t('Use your passkey')}
        </PasskeyButton>
      )}
      {account.secondFactors.includes('passkey') && acceptsCode(account.secondFactors) && (
        <Divider label={t('or')} />
      )}
      {account.hasPassword && (account.secondFactors.length === 0 || acceptsCode(account.secondFactors)) && (
        <PasswordProof
          email={account.user.email}
          methods={account.secondFactors}
          onConfirmed={onConfirmed}
          onCancel={onCancel}
        />
      )}
      {method === 'sso' && organizationId !== undefined ? (
        <DirectoryProof orgId={organizationId} onConfirmed={onConfirmed} />
      ) : (
        !account.hasPassword && <SignOutProof />
      )}
    </Stack>
  );
}

function PasswordProof({
  email,
  methods,
  onConfirmed,
  onCancel,
}: {
  readonly email: string;
  /** What the account accepts as its second factor; empty if it has none. */
  readonly methods: readonly SecondFactorMethod[];
  readonly onConfirmed: () => void;
  readonly onCancel: () => void;
}): ReactNode {
  const confirmation = useMutation({
    mutationFn: (body: { password: string; secondFactor?: SecondFactorProof }) =>
      call('POST /api/auth/confirm', { body }),
    onSuccess: onConfirmed,
  });
  return (
    <Form
      error={confirmation.error}
      action={t('Confirm')}
      isPending={confirmation.isPending}
      onSubmit={(field) =>
        confirmation.mutate({
          password: field('password'),
          ...(methods.length > 0 && { secondFactor: readProof(field) }),
        })
      }
      onCancel={onCancel}
    >
      <TextInput label={t('Email')} name="email" value={email} readOnly autoComplete="username" />
      <PasswordInput
        label={t('Password')}
        name="password"
        autoComplete="current-password"
        required
        data-autofocus={!methods.includes('passkey') || undefined}
      />
      <SecondFactorField methods={methods} />
    </Form>
  );
}

/** The sign-in opens in another tab, so that nothing is lost that was entered in this one. */
function DirectoryProof({
  orgId,
  onConfirmed,
}: {
  readonly orgId: string;
  readonly onConfirmed: () => void;
}): ReactNode {
  const [isOpened, setOpened] = useState(false);
  const query = { returnTo: paths.confirmed, prompt: 'login' } as const;
  return (
    <Stack align="flex-start">
      <Text size="sm">
        {rich('<link>Sign in through the directory again</link> in another tab, then continue here.', {
          link: (text) => (
            <Anchor
              href={addressOf('GET /api/sso/start/{orgId}', { params: { orgId }, query })}
              target="_blank"
              onClick={() => setOpened(true)}
            >
              {text}
            </Anchor>
          ),
        })}
      </Text>
      {isOpened && <Button onClick={onConfirmed}>{t('Continue')}</Button>}
    </Stack>
  );
}

function SignOutProof(): ReactNode {
  const signOut = useSignOut();
  return (
    <Stack align="flex-start">
      <Text size="sm">{t('Your account has no password. Sign out, then sign in again.')}</Text>
      <Button variant="default" onClick={signOut}>
        {t('Sign out')}
      </Button>
    </Stack>
  );
}
