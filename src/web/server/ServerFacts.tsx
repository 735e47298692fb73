import { Progress, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ServerState } from '#contract/operation.ts';
import { Section } from '../ui/page/Section.tsx';
import { formatBytes } from '../ui/text/bytes.ts';
import { TimeAgo } from '../ui/text/TimeAgo.tsx';
import classes from './ServerFacts.module.css';

const isolationLabels: Readonly<Record<ServerState['queries']['isolation']['kind'], string>> = {
  bubblewrap: 'bubblewrap',
  separate_user: 'a separate user',
  none: 'none',
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
      <Section title="Version">
        <Facts
          facts={{
            Atrium: server.version,
            'Node.js': server.nodeVersion,
            Started: <TimeAgo at={server.startedAt} />,
          }}
        />
      </Section>
      <Section title="Health">
        <Facts
          facts={{
            Database: database.engine,
            'Response time':
              database.responseMs < 1 ? 'less than 1 ms' : `${Math.round(database.responseMs)} ms`,
            Memory: formatBytes(server.memoryBytes),
          }}
        />
      </Section>
      <Section title="Storage">
        <Facts
          facts={{
            Directory: dataDirectory.path,
            'Free disk space': `${formatBytes(freeBytes)} of ${formatBytes(totalBytes)}`,
          }}
        />
        <Progress value={(1 - free) * 100} color={isLow ? 'red.9' : 'atrium'} aria-label="Disk usage" />
      </Section>
      <Section title="Queries">
        <Facts
          facts={{
            Running: String(queries.running),
            Waiting: String(queries.waiting),
            Processes: String(queries.processes),
            Isolation: isolationLabels[queries.isolation.kind],
          }}
        />
        {queries.waiting > 0 && (
          <Text size="sm" c="dimmed">
            Queries are waiting because each organization can run only a few at once.
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
