import { Paper, Skeleton, Stack, Table, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AccessEntry } from '#contract/organizations/access-log.ts';
import { t } from '#shared/language/messages.ts';
import { MoreButton } from '../../ui/actions/MoreButton.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { exactTime } from '../../ui/text/times.ts';
import classes from '../audit/AuditEntries.module.css';
import type { AuditSearch } from '../audit/search.ts';
import { accessQuery } from './queries.ts';
import { accessText } from './texts.ts';

/** The entries that match the filters, newest first. */
export function AccessEntries({
  orgId,
  search,
}: {
  readonly orgId: string;
  readonly search: AuditSearch;
}): ReactNode {
  const entries = useInfiniteQuery(accessQuery(orgId, search));
  if (entries.error !== null && entries.data === undefined)
    return <Failure error={entries.error} retry={() => void entries.refetch()} />;
  if (entries.data === undefined) return <Skeleton h={320} aria-label={t('Loading the log')} />;
  const items = entries.data.pages.flatMap((page) => page.items);
  if (items.length === 0) {
    return (
      <EmptyState icon={IconEye} title={t('No matching entries')}>
        {t('Views appear within some seconds. Remove a filter or choose other days.')}
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

const EntryRow = ({ entry }: { readonly entry: AccessEntry }): ReactNode => (
  <Table.Tr className={classes['row']}>
    <Table.Td className={classes['when']}>
      <time dateTime={entry.at}>{exactTime(entry.at)}</time>
    </Table.Td>
    <Table.Td className={classes['who']}>{readerOf(entry)}</Table.Td>
    <Table.Td>
      <Text size="sm" className={classes['text']}>
        {accessText(entry)}
      </Text>
      {entry.count > 1 && (
        <Text size="xs" c="dimmed">
          {t('{count} requests, the last at {time}', { count: entry.count, time: exactTime(entry.lastAt) })}
        </Text>
      )}
      {entry.tokenId !== undefined && (
        <Text size="xs" c="dimmed">
          {t('With a token')}
        </Text>
      )}
    </Table.Td>
  </Table.Tr>
);

function readerOf({ actorEmail, actorEmailVerified, actorId, linkId }: AccessEntry): string {
  if (linkId !== undefined) return t('A display');
  if (actorEmail === undefined) return actorId ?? '';
  return actorEmailVerified === false ? t('{email} (not verified)', { email: actorEmail }) : actorEmail;
}
