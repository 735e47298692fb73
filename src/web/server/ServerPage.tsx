import { Button, Stack, Text } from '@mantine/core';
import { IconServerOff, IconShieldLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { ApiProblem } from '../app/api.ts';
import { paths } from '../app/paths.ts';
import { EmptyState } from '../ui/page/EmptyState.tsx';
import { Failure } from '../ui/problems/Failure.tsx';
import { Page } from '../ui/page/Page.tsx';
import { LogSettings } from './LogSettings.tsx';
import { ServerAttention } from './ServerAttention.tsx';
import { ServerFacts } from './ServerFacts.tsx';
import { ServerSettings } from './ServerSettings.tsx';
import { serverQuery } from './queries.ts';
import { Waiting } from '../ui/page/Waiting.tsx';

/** The state of the server, for its operators. */
export function ServerPage(): ReactNode {
  const server = useQuery(serverQuery);
  if (server.error instanceof ApiProblem && server.error.code === 'forbidden') {
    return (
      <Page title={t('Server')}>
        <EmptyState icon={IconServerOff} title={t('You can’t view this page')}>
          <Text>{server.error.message}</Text>
        </EmptyState>
      </Page>
    );
  }
  if (server.error instanceof ApiProblem && server.error.code === 'second_factor_missing') {
    return (
      <Page title={t('Server')}>
        <EmptyState
          icon={IconShieldLock}
          title={t('Operators need a second factor')}
          action={
            <Button component={Link} to={paths.account}>
              {t('Set up a second factor')}
            </Button>
          }
        >
          {t(
            'You can see the state of the server once your account has a passkey or an authenticator app. Everything else works without one.',
          )}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title={t('Server')}
      description={t(
        'The state of the process that handled your request. Each replica reports only its own.',
      )}
    >
      {server.error !== null && <Failure error={server.error} retry={() => void server.refetch()} />}
      {server.data === undefined ? (
        server.error === null && <Waiting height={420} />
      ) : (
        <Stack gap="lg">
          <ServerAttention attention={server.data.attention} />
          <ServerFacts server={server.data} />
          <LogSettings logLevel={server.data.logLevel} logRequests={server.data.logRequests} />
          <ServerSettings settings={server.data.settings} />
        </Stack>
      )}
    </Page>
  );
}
