import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { Page } from '../ui/page/Page.tsx';

/** Where people return to after they confirmed their identity at the directory, while another tab waits for it. */
export function ConfirmedPage(): ReactNode {
  return (
    <Page title={t('Your identity is confirmed')} size="sm">
      <Text>{t('Close this tab, and continue in the one where you were asked.')}</Text>
    </Page>
  );
}
