import { Progress, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ServerState } from '#contract/operation.ts';
import { t } from '#shared/language/messages.ts';
import { Section } from '../ui/page/Section.tsx';
import { formatBytes } from '../ui/text/bytes.ts';
import { TimeAgo } from '../ui/text/TimeAgo.tsx';
import classes from './ServerFacts.module.css';

const isolationLabels: Readonly<Record<ServerState['queries']['isolation']['kind'], string>> = {
  bubblewrap: 'bubblewrap',
  separate_user: t('a separate user'),
  none: t('none'),
};

/** The share of free disk space below which the bar is red. */
const lowDiskShare = 0.1;

/** Version, health, storage and queries. */
export function ServerFacts({ server }: { readonly server: ServerState }): ReactNode {
  const { database, dataDirectory, queries } = server;
  const { freeBytes, totalBytes } = dataDirectory;
  const free = totalBytes === 0 ? 1 : freeBytes / totalBytes;
  const isLow = free < lowDiskShare;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Section title={t('Version')}>
        <Facts
          facts={{
            Atrium: server.version,
            'Node.js': server.nodeVersion,
            [t('Started')]: <TimeAgo at={server.startedAt} />,
          }}
        />
      </Section>
      <Section title={t('Health')}>
        <Facts
          facts={{
            [t('Database')]: database.engine,
            'Response time':
              database.responseMs < 1
                ? t('less than 1 ms')
                : t('{count} ms', { count: Math.round(database.responseMs) }),
            [t('Memory')]: formatBytes(server.memoryBytes),
          }}
        />
      </Section>
      <Section title={t('Storage')}>
        <Facts
          facts={{
            [t('Directory')]: dataDirectory.path,
            [t('Free disk space')]: t('{freeBytes} of {totalBytes}', {
              freeBytes: formatBytes(freeBytes),
              totalBytes: formatBytes(totalBytes),
            }),
          }}
        />
        <Progress value={(1 - free) * 100} color={isLow ? 'red.9' : 'atrium'} aria-label={t('Disk usage')} />
      </Section>
      <Section title={t('Queries')}>
        <Facts
          facts={{
            [t('Running')]: String(queries.running),
            [t('Waiting')]: String(queries.waiting),
            [t('Processes')]: String(queries.processes),
            [t('Isolation')]: isolationLabels[queries.isolation.kind],
          }}
        />
        {queries.waiting > 0 && (
          <Text size="sm" c="dimmed">
            {t('Queries are waiting because each organization can run only a few at once.')}
          </Text>
        )}
      </Section>
    </SimpleGrid>
  );
}

const Facts = ({ facts }: { readonly facts: Readonly<Record<string, ReactNode>> }): ReactNode => (
  <dl className={classes['facts']}>
    {Object.entries(facts).map(([name, value]) => (
      <div key={name} className={classes['fact']}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
