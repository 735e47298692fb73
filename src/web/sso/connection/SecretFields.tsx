import { PasswordInput, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { secretWarning, type DirectoryKind } from './connection.ts';
import { directoryTexts } from '../directory-kinds.ts';
import { requiresOwner, type Sso } from '../queries.ts';

/** The secret, which is never shown again, and the day on which it expires. */
export function SecretFields({
  sso,
  kind,
  secret,
  onSecret,
  expiresOn,
  onExpiresOn,
  moves,
  error,
}: {
  readonly sso: Sso;
  readonly kind: DirectoryKind;
  readonly secret: string;
  readonly onSecret: (secret: string) => void;
  readonly expiresOn: string;
  readonly onExpiresOn: (day: string) => void;
  /** Whether the form points to a different directory or application than the stored configuration. */
  readonly moves: boolean;
  readonly error: string | undefined;
}): ReactNode {
  const { status, configuration } = sso;
  const texts = directoryTexts[kind].secret;
  const hasSecret = configuration?.hasSecret === true;
  const dropped =
    hasSecret && moves && secret === ''
      ? t(
          'Your changes remove the stored secret, so that it’s never sent to another address. Enter the secret again.',
        )
      : undefined;
  const warning = status.reasons.find(({ code }) => code.startsWith('secret_expire'));
  const isReadOnly = requiresOwner(sso);
  return (
    <>
      <PasswordInput
        label={texts.label}
        description={texts.where}
        placeholder={hasSecret && !moves ? t('Stored. Leave empty to keep it.') : undefined}
        value={secret}
        onChange={(event) => onSecret(event.currentTarget.value)}
        error={error ?? secretWarning(kind, secret) ?? dropped}
        autoComplete="off"
        spellCheck={false}
      />
      <TextInput
        type="date"
        label={t('Secret expires on')}
        description={
          isReadOnly
            ? t('Only an owner can set this while a role mapping grants the owner role.')
            : t(
                'You’ll see a warning 60 days before, and owners get an email 60, 30 and 7 days before. Leave empty if the secret doesn’t expire.',
              )
        }
        value={expiresOn}
        onChange={(event) => onExpiresOn(event.currentTarget.value)}
        error={warning && `${warning.message} ${warning.remedy}`}
        readOnly={isReadOnly}
        aria-readonly={isReadOnly}
      />
      {hasSecret && (
        <Text size="sm" c="dimmed">
          {texts.renew}
        </Text>
      )}
    </>
  );
}
