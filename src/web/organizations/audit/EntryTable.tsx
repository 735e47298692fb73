import { Paper, Stack, Table, Text } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { MoreButton } from '../../ui/actions/MoreButton.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { exactTime } from '../../ui/text/times.ts';
import classes from './EntryTable.module.css';
import { Waiting } from '../../ui/page/Waiting.tsx';

/** An entry of a log, as its row shows it. */
export interface ShownEntry {
  readonly who: string;
  readonly what: string;
  /** Shown below `what`. */
  readonly more: ReactNode;
}

/** The entries of a log that match the filters, newest first. */
export function EntryTable<Entry extends { readonly id: string; readonly at: string }>({
  entries,
  show,
  icon,
  advice,
}: {
  readonly entries: UseInfiniteQueryResult<InfiniteData<{ readonly items: readonly Entry[] }>>;
  readonly show: (entry: Entry) => ShownEntry;
  readonly icon: ComponentProps<typeof EmptyState>['icon'];
  /** What to do if no entry matches. */
  readonly advice: string;
}): ReactNode {
  if (entries.error !== null && entries.data === undefined)
    return <Failure error={entries.error} retry={() => void entries.refetch()} />;
  if (entries.data === undefined) return <Waiting height={320} />;
  const items = entries.data.pages.flatMap((page) => page.items);
  if (items.length === 0) {
    return (
      <EmptyState icon={icon} title={t('No matching entries')}>
        {advice}
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
              <EntryRow key={entry.id} at={entry.at} {...show(entry)} />
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      {entries.error !== null && <Failure error={entries.error} retry={() => void entries.fetchNextPage()} />}
      <MoreButton list={entries}>{t('Show older entries')}</MoreButton>
    </Stack>
  );
}

const EntryRow = ({ at, who, what, more }: ShownEntry & { readonly at: string }): ReactNode => (
  <Table.Tr className={classes['row']}>
    <Table.Td className={classes['when']}>
      <time dateTime={at}>{exactTime(at)}</time>
    </Table.Td>
    <Table.Td className={classes['who']}>{who}</Table.Td>
    <Table.Td>
      <Text size="sm" className={classes['text']}>
        {what}
      </Text>
      {more}
    </Table.Td>
  </Table.Tr>
);
