import { Alert, Group, Loader, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconPlugConnected } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { ActionButton } from '../../../ui/actions/ActionButton.tsx';
import { Failure } from '../../../ui/problems/Failure.tsx';
import { connectionTestQuery } from '../../connection-test.ts';
import type { PostgresqlSource } from './form.ts';

const tlsWords = {
  verify: t('On, certificate checked'),
  require: t('On, certificate not checked'),
  off: t('Off'),
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
    [t('Server'), `${connection.host}:${connection.port}`],
    [t('Database'), connection.database],
    [t('User'), connection.user],
    [t('Password'), connection.hasPassword ? t('Stored, encrypted') : t('None')],
    [t('Encryption'), tlsWords[connection.tls]],
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
            {t('Test connection')}
          </ActionButton>
        </Group>
        <div role="status">
          {test.isFetching && (
            <Group gap="xs">
              <Loader size="xs" aria-hidden />
              <Text size="sm">{t('Testing the connection…')}</Text>
            </Group>
          )}
          {!test.isFetching && test.data?.isReachable === true && (
            <Alert color="teal" variant="default" icon={<IconCheck />} title={t('The connection works')}>
              {t('The server responded in {durationMs} ms.', { durationMs: test.data.durationMs })}
            </Alert>
          )}
          {!test.isFetching && test.data !== undefined && test.data.warnings.length > 0 && (
            <Alert
              mt="sm"
              color="yellow"
              variant="light"
              icon={<IconAlertTriangle />}
              title={t('The role has more than read access')}
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
            <Alert
              color="red"
              variant="light"
              icon={<IconAlertTriangle />}
              title={t('The connection failed')}
            >
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
