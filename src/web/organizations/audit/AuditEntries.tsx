import { Paper, Skeleton, Stack, Table, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AuditEntry } from '#contract/organizations/audit.ts';
import { t } from '#shared/language/messages.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { MoreButton } from '../../ui/actions/MoreButton.tsx';
import { exactTime } from '../../ui/text/times.ts';
import { auditQuery } from './queries.ts';
import type { AuditSearch } from './search.ts';
import { entryText } from './texts.ts';
import classes from './AuditEntries.module.css';

/** The entries that match the filters, newest first. */
export function AuditEntries({
  orgId,
  search,
}: {
  readonly orgId: string;
  readonly search: AuditSearch;
}): ReactNode {
  const entries = useInfiniteQuery(auditQuery(orgId, search));
  if (entries.error !== null && entries.data === undefined)
    return <Failure error={entries.error} retry={() => void entries.refetch()} />;
  if (entries.data === undefined) return <Skeleton h={320} aria-label={t('Loading the log')} />;
  const items = entries.data.pages.flatMap((page) => page.items);
  if (items.length === 0) {
    return (
      <EmptyState icon={IconHistory} title={t('No matching entries')}>
        {t('Remove a filter or choose other days.')}
      </EmptyState>
    );
  }
  return (
    <Stack>
      <Paper withBorder>
        <Table verticalSpacing="xs" horizontalSpacing="sm">
          <Table.Thead visibleFrom="sm">
            <Table.Tr>
              <Table.Th>{t('When')}</Table.Th>
              <Table.Th>{t('Who')}</Table.Th>
              <Table.Th>{t('What')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((entry) => (
              <EntryRow key={entry.id} entry={entry} />
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      {entries.error !== null && <Failure error={entries.error} retry={() => void entries.fetchNextPage()} />}
      <MoreButton list={entries}>{t('Show older entries')}</MoreButton>
    </Stack>
  );
}

const EntryRow = ({ entry }: { readonly entry: AuditEntry }): ReactNode => (
  <Table.Tr className={classes['row']}>
    <Table.Td className={classes['when']}>
      <time dateTime={entry.at}>{exactTime(entry.at)}</time>
    </Table.Td>
    <Table.Td className={classes['who']}>
      {entry.actorEmailVerified === false
        ? t('{email} (not verified)', { email: entry.actorEmail ?? '' })
        : (entry.actorEmail ?? t('The server'))}
    </Table.Td>
    <Table.Td>
      <Text size="sm" className={classes['text']}>
        {entryText(entry)}
      </Text>
      <details>
        <summary className={classes['summary']}>{t('Details')}</summary>
        <pre className={classes['details']}>
          {JSON.stringify({ action: entry.action, ...entry.details }, null, 2)}
        </pre>
      </details>
    </Table.Td>
  </Table.Tr>
);
