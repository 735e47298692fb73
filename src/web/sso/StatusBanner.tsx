import { Alert, List, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { TimeAgo } from '../ui/text/TimeAgo.tsx';
import { textsOf } from './directory-kinds.ts';
import type { Sso } from './queries.ts';
import { statusMessage } from './status-message.ts';
import { rich } from '../ui/text/rich.tsx';

const looks = {
  good: { color: 'teal', icon: IconCircleCheck },
  bad: { color: 'red', icon: IconAlertTriangle },
  calm: { color: 'atrium', icon: IconInfoCircle },
} as const;

/** What works, what doesn't, and what to do next. Screen readers announce each change. */
export function StatusBanner({
  sso,
  isTested,
}: {
  readonly sso: Sso;
  readonly isTested: boolean;
}): ReactNode {
  const { status, configuration, policy } = sso;
  const { tone, what, next, others } = statusMessage(status, {
    directory: textsOf(configuration).name,
    requireSso: policy.requireSso,
    isTested,
  });
  const { color, icon: Icon } = looks[tone];
  return (
    <Alert
      variant="default"
      icon={<Icon color={`var(--mantine-color-${color}-filled)`} />}
      role="region"
      aria-label={t('Status')}
    >
      <div role="status">
        <Text fw={600}>{what}</Text>
        <Text>{next}</Text>
      </div>
      {others.length > 0 && (
        <List size="sm" mt="xs">
          {others.map(({ code, message, remedy }) => (
            <List.Item key={`${code} ${message}`}>
              {message} {remedy}
            </List.Item>
          ))}
        </List>
      )}
      {status.lastSuccess !== undefined && (
        <Text size="sm" mt="xs">
          {rich('Last sign-in {time}: {message}', {
            time: <TimeAgo at={status.lastSuccess.at} />,
            message: status.lastSuccess.message,
          })}
        </Text>
      )}
      {status.revalidation !== undefined && status.revalidation.everyMinutes > 0 && (
        <Text size="sm" mt="xs">
          {status.revalidation.lastCheckedAt === undefined
            ? t('No session is checked yet: the directory has given no refresh token.')
            : rich('Last check whether people may still sign in {time}; checked: {sessions}.', {
                time: <TimeAgo at={status.revalidation.lastCheckedAt} />,
                sessions: t('{count, plural, one {# session} other {# sessions}}', {
                  count: status.revalidation.sessionCount,
                }),
              })}
        </Text>
      )}
      {status.lastLogout !== undefined && (
        <Text size="sm" mt="xs">
          {rich('Last sign-out by the directory {time}: {message}', {
            time: <TimeAgo at={status.lastLogout.at} />,
            message: status.lastLogout.message,
          })}
        </Text>
      )}
      {status.lastFailure !== undefined && (
        <Text size="sm" mt="xs">
          {rich('Last refused sign-in {time}: {message}', {
            time: <TimeAgo at={status.lastFailure.at} />,
            message: status.lastFailure.message,
          })}
        </Text>
      )}
    </Alert>
  );
}
