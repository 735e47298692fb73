import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import type { NewToken } from '#contract/credentials/tokens.ts';
import { t } from '#shared/language/messages.ts';
import { CopyField } from '../ui/forms/CopyField.tsx';
import { rich } from '../ui/text/rich.tsx';

/** Shows a token once, with how it is sent. */
export function CreatedToken({
  created: { token },
  isReplacement,
  onDone,
}: {
  readonly created: NewToken;
  readonly isReplacement: boolean;
  readonly onDone: () => void;
}): ReactNode {
  useEffect(() => {
    // Browsers may keep a page that was left, and show it as it was when someone goes back to it.
    const hide = () => flushSync(onDone);
    addEventListener('pagehide', hide);
    return () => removeEventListener('pagehide', hide);
  }, [onDone]);
  return (
    <Stack>
      <Alert color="orange" icon={<IconAlertTriangle aria-hidden />}>
        {t(
          'Copy it now: it isn’t shown again. Anyone who has it can do what it permits, so keep it like a password.',
        )}
      </Alert>
      <CopyField label={t('Token')} value={token} />
      <Text size="sm">
        {rich('Programs send it in a header: <code>{header}</code>', {
          header: 'Authorization: Bearer …',
          code: (text) => <Code>{text}</Code>,
        })}
      </Text>
      {isReplacement && (
        <Text size="sm">
          {t('The token before still works. Revoke it as soon as nothing uses it any more.')}
        </Text>
      )}
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('Done')}</Button>
      </Group>
    </Stack>
  );
}
