import { NativeSelect, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { LogLevel } from '#contract/operation.ts';
import { call } from '../app/api.ts';
import { notifyDone, notifyError } from '../ui/notifications/notify.ts';
import { Section } from '../ui/page/Section.tsx';

const levels: Readonly<Record<LogLevel, string>> = {
  silent: 'nothing',
  fatal: 'only errors that stop the server',
  error: 'errors',
  warn: 'errors and warnings',
  info: 'normal operation, too',
  debug: 'details for troubleshooting',
  trace: 'everything',
};

/** Changes the log level until the next restart. */
export function LogLevelChoice({ logLevel }: { readonly logLevel: LogLevel }): ReactNode {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (level: LogLevel) => call('PATCH /api/server', { body: { logLevel: level } }),
    onSuccess: (server) => {
      client.setQueryData(['server'], server);
      notifyDone(`The log level is now ${server.logLevel}.`);
    },
    onError: notifyError,
  });
  return (
    <Section title="Log">
      <NativeSelect
        label="Level"
        description="Applies to this process until it restarts. ATRIUM_LOG_LEVEL sets the level at startup."
        maw={420}
        disabled={change.isPending}
        value={change.isPending ? change.variables : logLevel}
        onChange={(event) => change.mutate(event.currentTarget.value as LogLevel)}
        data={Object.entries(levels).map(([value, label]) => ({ value, label: `${value}: ${label}` }))}
      />
      <Text size="sm" c="dimmed">
        Requests are logged only if the server was started with debug or trace.
      </Text>
    </Section>
  );
}
