import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import type { NewClientCredential } from '#contract/credentials/clients.ts';
import type { NewToken } from '#contract/credentials/tokens.ts';
import { t } from '#shared/language/messages.ts';
import { CopyField } from '../ui/forms/CopyField.tsx';
import { rich } from '../ui/text/rich.tsx';

/** A token, or what a client gets access tokens with. */
export type Created = NewToken | NewClientCredential;

/** Returns the title of the dialog that shows it. */
export function createdTitle(created: Created): string {
  if ('token' in created) return t('Copy the new token');
  return created.clientSecret === undefined ? t('The key is registered') : t('Copy the new client secret');
}

/** Shows a token or a secret once, with how it is used. */
export function CreatedToken({
  created,
  isReplacement,
  onDone,
}: {
  readonly created: Created;
  readonly isReplacement: boolean;
  readonly onDone: () => void;
}): ReactNode {
  useEffect(() => {
    // Browsers may cache a page that was left, and show it as it was when someone goes back to it.
    const hide = () => flushSync(onDone);
    addEventListener('pagehide', hide);
    return () => removeEventListener('pagehide', hide);
  }, [onDone]);
  const isSecret = 'token' in created || created.clientSecret !== undefined;
  return (
    <Stack>
      {isSecret && (
        <Alert color="orange" icon={<IconAlertTriangle aria-hidden />}>
          {t(
            'Copy it now: it isn’t shown again. Anyone who has it can do what it permits, so keep it like a password.',
          )}
        </Alert>
      )}
      {'token' in created ? <BearerToken {...created} /> : <Client {...created} />}
      {isReplacement && (
        <Text size="sm">
          {t('The previous one still works. Revoke it as soon as nothing uses it any more.')}
        </Text>
      )}
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('Done')}</Button>
      </Group>
    </Stack>
  );
}

function BearerToken({ token }: NewToken): ReactNode {
  return (
    <>
      <CopyField label={t('Token')} value={token} />
      <Text size="sm">
        {rich('Programs send it in a header: <code>{header}</code>', {
          header: 'Authorization: Bearer …',
          code: (text) => <Code>{text}</Code>,
        })}
      </Text>
    </>
  );
}

function Client({ clientId, clientSecret }: NewClientCredential): ReactNode {
  return (
    <>
      <CopyField label={t('Client ID')} value={clientId} />
      {clientSecret !== undefined && <CopyField label={t('Client secret')} value={clientSecret} />}
      <CopyField label={t('Token URL')} value={`${location.origin}/api/oauth/token`} />
      <Text size="sm">
        {clientSecret === undefined
          ? t(
              'The program signs an assertion for the token URL (RFC 7523), and gets access tokens of one hour there.',
            )
          : t(
              'The program sends the ID and the secret to the token URL by HTTP Basic authentication, and gets access tokens of one hour there.',
            )}
      </Text>
    </>
  );
}
