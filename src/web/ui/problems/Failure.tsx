import { Alert, Button, Code, Group, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { ApiProblem } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';
import { errorMessage } from './message.ts';
import { rich } from '../text/rich.tsx';

/** Shows an error, with a button to try again or with the actions in `children`. */
export function Failure({
  error,
  retry,
  children,
}: {
  readonly error: unknown;
  readonly retry?: (() => void) | undefined;
  readonly children?: ReactNode;
}): ReactNode {
  const { title, detail, faults, requestId } = errorMessage(error);
  return (
    <Alert role="alert" color="red" variant="light" icon={<IconAlertTriangle />} title={title}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {detail}
        </Text>
        {faults.length > 0 && (
          <List size="sm">
            {faults.map((fault) => (
              <List.Item key={fault}>{fault}</List.Item>
            ))}
          </List>
        )}
        {requestId !== undefined && (
          <Text size="xs">
            {rich('Request ID, for the operator: <code>{requestId}</code>', {
              requestId,
              code: (text) => <Code>{text}</Code>,
            })}
          </Text>
        )}
        <Group gap="xs">
          {retry !== undefined && (
            <Button size="xs" variant="default" onClick={retry}>
              {t('Try again')}
            </Button>
          )}
          {error instanceof ApiProblem && error.code === 'second_factor_missing' && (
            // Loads the page again, since much of what was refused then isn't.
            <Button component="a" href={paths.account} size="xs" variant="default">
              {t('Set up a second factor')}
            </Button>
          )}
          {children}
        </Group>
      </Stack>
    </Alert>
  );
}
