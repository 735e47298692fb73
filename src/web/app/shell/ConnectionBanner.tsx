import { Alert, Button, Group, Text } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { IconPlugConnectedX, IconWifiOff } from '@tabler/icons-react';
import { useSyncExternalStore, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { connection } from '../../ui/connection/connection.ts';

/** Shown while the browser is offline or the server doesn’t respond. */
export function ConnectionBanner(): ReactNode {
  const { online } = useNetwork();
  const isLost = useSyncExternalStore(connection.subscribe, connection.isLost);
  return (
    // The element that screen readers announce, which is there before its text. An alert in it would be announced twice.
    <div role="status">
      {!online ? (
        <Alert role="group" color="yellow" icon={<IconWifiOff />} mb="md" title={t('You’re offline')}>
          {t(
            'What you see may be out of date. Your drafts are saved in this browser until you’re back online and can save them.',
          )}
        </Alert>
      ) : (
        isLost && (
          <Alert
            role="group"
            color="yellow"
            icon={<IconPlugConnectedX />}
            mb="md"
            title={t('The server isn’t responding')}
          >
            <Group justify="space-between" gap="xs">
              <Text size="sm" flex="1 1 240px">
                {t(
                  'Trying again until it does. What you see may be out of date. Your drafts are saved in this browser.',
                )}
              </Text>
              <Button size="xs" variant="default" onClick={() => void connection.check()}>
                {t('Try now')}
              </Button>
            </Group>
          </Alert>
        )
      )}
    </div>
  );
}
