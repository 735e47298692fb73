import { Button, Modal, Stack, Text } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { onSessionEnd } from '../../api.ts';
import { signInAddress } from '../../../ui/browser/return-to.ts';

/** Reports over the current page that the session has ended. */
export function SessionEnded(): ReactNode {
  const [hasEnded, setHasEnded] = useState(false);
  const address = useRouterState({ select: ({ location }) => location.href });
  useEffect(() => onSessionEnd(() => setHasEnded(true)), []);
  return (
    <Modal opened={hasEnded} onClose={() => setHasEnded(false)} title={t('Your session has ended')} centered>
      <Stack>
        <Text>{t('Sign in again to continue. Your drafts are saved in this browser.')}</Text>
        <Button component="a" href={signInAddress(address)}>
          {t('Sign in')}
        </Button>
      </Stack>
    </Modal>
  );
}
