import { Alert, Group, Loader, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconPlugConnected } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ActionButton } from '../../../ui/actions/ActionButton.tsx';
import { Failure } from '../../../ui/problems/Failure.tsx';
import { connectionTestQuery } from '../../connection-test.ts';
import type { PostgresqlSource } from './form.ts';

const tlsWords = {
  verify: 'On, certificate checked',
  require: 'On, certificate not checked',
  off: 'Off',
} as const;

/** The connection of a source, with a button to test it. */
export function ConnectionCard({
  source: { id, connection },
  reason,
}: {
  readonly source: PostgresqlSource;
  readonly reason: string | undefined;
}): ReactNode {
  const test = useQuery({ ...connectionTestQuery(id), enabled: false });
  const facts = [
    ['Server', `${connection.host}:${connection.port}`],
    ['Database', connection.database],
    ['User', connection.user],
    ['Password', connection.hasPassword ? 'Stored, encrypted' : 'None'],
    ['Encryption', tlsWords[connection.tls]],
  ] as const;
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} m={0} verticalSpacing="sm">
          {facts.map(([label, value]) => (
            <div key={label}>
              <Text component="dt" size="xs" c="dimmed">
                {label}
              </Text>
              <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
                {value}
              </Text>
            </div>
          ))}
        </SimpleGrid>
        <Group gap="sm">
          <ActionButton
            variant="default"
            reason={reason}
            loading={test.isFetching}
            leftSection={<IconPlugConnected size={16} aria-hidden />}
            onClick={() => void test.refetch()}
          >
            Test connection
          </ActionButton>
        </Group>
        <div role="status">
          {test.isFetching && (
            <Group gap="xs">
              <Loader size="xs" aria-hidden />
              <Text size="sm">Testing the connection…</Text>
            </Group>
          )}
          {!test.isFetching && test.data?.isReachable === true && (
            <Alert color="teal" variant="default" icon={<IconCheck />} title="The connection works">
              The server responded in {test.data.durationMs} ms.
            </Alert>
          )}
          {!test.isFetching && test.data !== undefined && test.data.warnings.length > 0 && (
            <Alert
              mt="sm"
              color="yellow"
              variant="light"
              icon={<IconAlertTriangle />}
              title="The role has more than read access"
            >
              <Stack gap="xs">
                {test.data.warnings.map(({ code, message }) => (
                  <Text key={code} size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {message}
                  </Text>
                ))}
              </Stack>
            </Alert>
          )}
          {!test.isFetching && test.data?.isReachable === false && (
            <Alert color="red" variant="light" icon={<IconAlertTriangle />} title="The connection failed">
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {test.data.fault}
              </Text>
            </Alert>
          )}
        </div>
        {!test.isFetching && test.isError && <Failure error={test.error} />}
      </Stack>
    </Paper>
  );
}
