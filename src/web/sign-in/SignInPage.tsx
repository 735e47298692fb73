import { Anchor, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { SecondFactorMethod } from '#contract/accounts/second-factor-proof.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../app/api.ts';
import { paths } from '../app/paths.ts';
import { passkeyReason } from '../ui/passkeys/ceremonies.ts';
import { PasskeyButton } from '../ui/passkeys/PasskeyButton.tsx';
import { pageProblem } from '../ui/problems/page-problem.ts';
import { Failure } from '../ui/problems/Failure.tsx';
import { lastLogo } from '../ui/browser/last-organization.ts';
import { ownPath } from '../ui/browser/return-to.ts';
import { BarePage } from './BarePage.tsx';
import { EmailForm } from './EmailForm.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { SecondStepForm } from './SecondStepForm.tsx';
import { RecoveryForm } from './RecoveryForm.tsx';
import { TileConfirmation } from './TileConfirmation.tsx';

type Step = 'email' | 'password' | 'recovery' | { readonly methods: readonly SecondFactorMethod[] };

/** Asks for the email address first: its domain decides between the directory and a password. */
export function SignInPage(): ReactNode {
  const { returnTo, email: given, tile } = useSearch({ from: paths.signIn });
  const [failure] = useState(pageProblem);
  const [logoId] = useState(lastLogo);
  const [email, setEmail] = useState(given ?? '');
  const [step, setStep] = useState<Step>(given === undefined ? 'email' : 'password');
  const client = useQueryClient();
  const enter = () => {
    client.clear();
    // Replaced, so that nobody can go back to the completed form.
    location.replace(ownPath(returnTo));
  };
  if (tile !== undefined) return <TileConfirmation orgId={tile} returnTo={returnTo} />;
  return (
    <BarePage title={t('Sign in')} logoId={logoId}>
      {failure !== undefined && step === 'email' && <Failure error={failure} />}
      {returnTo !== undefined && returnTo !== paths.home && step !== 'recovery' && (
        <Text size="sm" c="dimmed">
          {t('You’ll return to your page.')}
        </Text>
      )}
      {step === 'email' && (
        <EmailForm
          email={email}
          returnTo={returnTo}
          onEmail={setEmail}
          onPassword={() => setStep('password')}
        />
      )}
      {step === 'email' && passkeyReason() === undefined && (
        <PasskeyButton
          start={() => call('POST /api/auth/sign-in/passkey/options')}
          send={(assertion) => call('POST /api/auth/sign-in/passkey', { body: { assertion } })}
          onDone={enter}
        >
          {t('Sign in with a passkey')}
        </PasskeyButton>
      )}
      {step === 'password' && (
        <PasswordForm
          email={email}
          onSignedIn={enter}
          onSecondFactor={(methods) => setStep({ methods })}
          onOtherEmail={() => setStep('email')}
          onRecovery={() => setStep('recovery')}
        />
      )}
      {typeof step === 'object' && (
        <SecondStepForm methods={step.methods} onSignedIn={enter} onStartAgain={() => setStep('password')} />
      )}
      {step === 'recovery' && <RecoveryForm email={email} onSignedIn={enter} />}
      {step === 'email' && (
        <Text size="sm" ta="center">
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link {...props} to={paths.forgotPassword} search={email === '' ? {} : { email }} />
            )}
          >
            {t('Forgot password?')}
          </Anchor>
        </Text>
      )}
      {typeof step !== 'object' && (
        <Text size="sm" ta="center">
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={() => setStep(step === 'recovery' ? 'email' : 'recovery')}
          >
            {step === 'recovery' ? t('Sign in another way') : t('Use a recovery code')}
          </Anchor>
        </Text>
      )}
      {step === 'email' && (
        <Text size="sm" c="dimmed" ta="center">
          {t('No account yet? Ask an owner or admin of your organization to invite you.')}
        </Text>
      )}
    </BarePage>
  );
}
