import { Anchor, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { SecondFactorMethod } from '#contract/accounts/second-factor-proof.ts';
import { t } from '#shared/language/messages.ts';

/** Asks for a code from the authenticator app, or for a recovery code. It shows nothing if an account accepts neither. */
export function SecondFactorField({
  methods,
  autoFocus = false,
}: {
  readonly methods: readonly SecondFactorMethod[];
  readonly autoFocus?: boolean;
}): ReactNode {
  const [isRecovery, setRecovery] = useState(false);
  if (methods.length === 0) return null;
  const mayRecover = methods.includes('recovery_code');
  const method: SecondFactorMethod = isRecovery && mayRecover ? 'recovery_code' : 'authenticator_app';
  return (
    <div>
      <input type="hidden" name="method" value={method} />
      {method === 'recovery_code' ? (
        <TextInput
          key={method}
          label={t('Recovery code')}
          name="code"
          required
          autoFocus
          autoComplete="off"
          spellCheck={false}
          placeholder="xxxxx-xxxxx-xxxxx-xxxxx"
          description={t('Capitalization, spaces and hyphens don’t matter')}
        />
      ) : (
        <TextInput
          key={method}
          label={t('Code from your authenticator app')}
          name="code"
          required
          autoFocus={autoFocus}
          autoComplete="one-time-code"
          inputMode="numeric"
          placeholder="123456"
        />
      )}
      {mayRecover && (
        <Anchor component="button" type="button" size="sm" mt={4} onClick={() => setRecovery(!isRecovery)}>
          {method === 'recovery_code' ? t('Use your authenticator app') : t('Use a recovery code instead')}
        </Anchor>
      )}
    </div>
  );
}
