import { NativeSelect, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { LogLevel } from '#contract/operation.ts';
import { call } from '../app/api.ts';
import { notifyDone, notifyError } from '../ui/notify.ts';
import { Section } from '../ui/Section.tsx';

const levels: Readonly<Record<LogLevel, string>> = {
  silent: 'nothing at all',
  fatal: 'only what ends the server',
  error: 'faults',
  warn: 'faults and what may become one',
  info: 'what an operator wants to know',
  debug: 'more, to look into a fault',
  trace: 'everything',
};

/** What of the log is written, until the next start. */
export function LogLevelChoice({ logLevel }: { readonly logLevel: LogLevel }): ReactNode {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (level: LogLevel) => call('PATCH /api/server', { body: { logLevel: level } }),
    onSuccess: (server) => {
      client.setQueryData(['server'], server);
      notifyDone(`The log level is ${server.logLevel} now.`);
    },
    onError: notifyError,
  });
  return (
    <Section title="Log">
      <NativeSelect
        label="Level"
        description="Of this process, until its next start. ATRIUM_LOG_LEVEL is what it starts with."
        maw={420}
        disabled={change.isPending}
        value={change.isPending ? change.variables : logLevel}
        onChange={(event) => change.mutate(event.currentTarget.value as LogLevel)}
        data={Object.entries(levels).map(([value, words]) => ({ value, label: `${value}: ${words}` }))}
      />
      <Text size="sm" c="dimmed">
        Lines of requests are there only when the server starts with debug or trace.
      </Text>
    </Section>
  );
}
