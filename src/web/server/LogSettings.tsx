import { NativeSelect, Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { LogLevel, ServerState } from '#contract/operation.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../app/api.ts';
import { notifyDone, notifyError } from '../ui/notifications/notify.ts';
import { Section } from '../ui/page/Section.tsx';

const levels: Readonly<Record<LogLevel, string>> = {
  silent: t('nothing'),
  fatal: t('only errors that stop the server'),
  error: t('errors'),
  warn: t('errors and warnings'),
  info: t('normal operation, too'),
  debug: t('details for troubleshooting'),
  trace: t('everything'),
};

/** The levels at which the line of a request is written. */
const levelsWithRequests: readonly LogLevel[] = ['info', 'debug', 'trace'];

type Log = Pick<ServerState, 'logLevel' | 'logRequests'>;

/** Changes what is logged until the next restart. */
export function LogSettings({ logLevel, logRequests }: Log): ReactNode {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (body: Partial<Log>) => call('PATCH /api/server', { body }),
    onSuccess: (server, { logLevel: level }) => {
      client.setQueryData(['server'], server);
      if (level !== undefined)
        notifyDone(t('The log level is now {logLevel}.', { logLevel: server.logLevel }));
      else
        notifyDone(server.logRequests ? t('Requests are now logged.') : t('Requests are no longer logged.'));
    },
    onError: notifyError,
  });
  const shown = { logLevel, logRequests, ...(change.isPending && change.variables) };
  const isShown = levelsWithRequests.includes(shown.logLevel);
  return (
    <Section
      title={t('Log')}
      description={t(
        'Changes apply to this process until it restarts. ATRIUM_LOG_LEVEL and ATRIUM_LOG_REQUESTS set what is logged at startup.',
      )}
    >
      <NativeSelect
        label={t('Level')}
        maw={420}
        disabled={change.isPending}
        value={shown.logLevel}
        onChange={(event) => change.mutate({ logLevel: event.currentTarget.value as LogLevel })}
        data={Object.entries(levels).map(([value, label]) => ({ value, label: `${value}: ${label}` }))}
      />
      <Switch
        mt="sm"
        label={t('Log each request')}
        description={
          isShown
            ? t(
                'A line with the route, the status and the duration, and with the ids of the person and the organization.',
              )
            : t('Requests are logged only at the levels info, debug and trace.')
        }
        disabled={change.isPending}
        checked={shown.logRequests}
        onChange={(event) => change.mutate({ logRequests: event.currentTarget.checked })}
      />
    </Section>
  );
}
