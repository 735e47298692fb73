import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Session } from '#contract/accounts/sessions.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { TimeAgo } from '../../ui/text/TimeAgo.tsx';
import { sessionsQuery } from './queries.ts';
import { deviceName } from './device.ts';
import classes from './Sessions.module.css';
import { sessionMethods } from '../../ui/text/session-methods.ts';
import { rich } from '../../ui/text/rich.tsx';

/** Your open sessions, each with a button to sign out of it. */
export function Sessions({ current }: { readonly current: Session | undefined }): ReactNode {
  const sessions = useQuery(sessionsQuery);
  const client = useQueryClient();
  const reload = () => client.invalidateQueries({ queryKey: ['sessions'] });
  const end = useMutation({
    mutationFn: (id: string) => call('POST /api/auth/revoke-session', { body: { id } }),
    onSuccess: () => notifyDone(t('Signed out of the session.')),
    onSettled: reload,
  });
  const endOthers = useMutation({
    mutationFn: () => call('POST /api/auth/revoke-other-sessions'),
    onSuccess: () => notifyDone(t('Signed out of all other sessions.')),
    onSettled: reload,
  });
  if (sessions.error !== null)
    return <Failure error={sessions.error} retry={() => void sessions.refetch()} />;
  if (sessions.data === undefined || current === undefined) return <Skeleton h={120} />;
  const others = sessions.data.filter(({ id }) => id !== current.id);
  const ordered = [...sessions.data.filter(({ id }) => id === current.id), ...others];
  const error = end.error ?? endOthers.error;
  return (
    <Stack>
      {error !== null && <Failure error={error} />}
      <ul className={classes['list']}>
        {ordered.map((session) => (
          <li key={session.id} className={classes['item']}>
            <div>
              <Group gap="xs">
                <Text fw={500}>{deviceName(session.userAgent)}</Text>
                {session.id === current.id && (
                  <Badge variant="light" tt="none">
                    {t('This session')}
                  </Badge>
                )}
              </Group>
              <Text size="sm" c="dimmed">
                {session.address === undefined
                  ? rich('Signed in {method} {time} · last used {lastUsed}', {
                      method: sessionMethods[session.method],
                      time: <TimeAgo at={session.createdAt} />,
                      lastUsed: <TimeAgo at={session.lastUsedAt} />,
                    })
                  : rich('Signed in {method} from {address} {time} · last used {lastUsed}', {
                      method: sessionMethods[session.method],
                      address: session.address,
                      time: <TimeAgo at={session.createdAt} />,
                      lastUsed: <TimeAgo at={session.lastUsedAt} />,
                    })}
              </Text>
              <Text size="sm" c="dimmed">
                {session.idleMinutes === undefined
                  ? rich('Ends {time}', { time: <TimeAgo at={session.expiresAt} /> })
                  : rich('Ends {time}, or after {minutes} minutes without use', {
                      time: <TimeAgo at={session.expiresAt} />,
                      minutes: session.idleMinutes,
                    })}
              </Text>
            </div>
            {session.id !== current.id && (
              <Button
                variant="default"
                size="xs"
                aria-label={t('Sign out of the session on {deviceName}', {
                  deviceName: deviceName(session.userAgent),
                })}
                loading={end.isPending && end.variables === session.id}
                onClick={() => end.mutate(session.id)}
              >
                {t('Sign out')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Group>
        <ActionButton
          variant="default"
          reason={others.length === 0 ? t('You’re not signed in anywhere else.') : undefined}
          loading={endOthers.isPending}
          onClick={() => endOthers.mutate()}
        >
          {t('Sign out of all other sessions')}
        </ActionButton>
      </Group>
    </Stack>
  );
}
