import { Alert, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ServerState } from '#contract/operation.ts';
import { t } from '#shared/language/messages.ts';

/** What works, but needs attention, each with what to do; nothing if all is well. */
export function ServerAttention({ attention }: Pick<ServerState, 'attention'>): ReactNode {
  if (attention.length === 0) return null;
  return (
    <Alert icon={<IconAlertTriangle aria-hidden />} color="yellow" title={t('Needs attention')}>
      <List spacing="xs" listStyleType={attention.length === 1 ? 'none' : 'disc'}>
        {attention.map(({ code, message, remedy }) => (
          <List.Item key={`${code} ${message}`}>
            <Text size="sm">
              {message} {remedy}
            </Text>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
