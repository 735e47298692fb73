import { Anchor, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { SecondFactorMethod } from '#contract/accounts/second-factor-proof.ts';
import { t } from '#shared/language/messages.ts';
import { acceptsCode, type CodeMethod } from './second-factor.ts';

/** Asks for a code from the authenticator app, or for a recovery code. It shows nothing if an account accepts neither. */
export function SecondFactorField({
  methods,
  autoFocus = false,
}: {
  readonly methods: readonly SecondFactorMethod[];
  readonly autoFocus?: boolean;
}): ReactNode {
  const [isRecovery, setRecovery] = useState(false);
  if (!acceptsCode(methods)) return null;
  const hasApp = methods.includes('authenticator_app');
  const mayRecover = methods.includes('recovery_code');
  const method: CodeMethod = !hasApp || (isRecovery && mayRecover) ? 'recovery_code' : 'authenticator_app';
  return (
    <div>
      <input type="hidden" name="method" value={method} />
      {method === 'recovery_code' ? (
        <TextInput
          key={method}
          label={t('Recovery code')}
          name="code"
          required
          autoFocus={hasApp || autoFocus}
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
      {hasApp && mayRecover && (
        <Anchor component="button" type="button" size="sm" mt={4} onClick={() => setRecovery(!isRecovery)}>
          {method === 'recovery_code' ? t('Use your authenticator app') : t('Use a recovery code instead')}
        </Anchor>
      )}
    </div>
  );
}
