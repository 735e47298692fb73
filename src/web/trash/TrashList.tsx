import { Paper, Stack } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Failure } from '../ui/problems/Failure.tsx';
import { MoreButton } from '../ui/MoreButton.tsx';
import { Waiting } from '../ui/Waiting.tsx';
import type { InBin, ownDeletedQuery } from './trash-queries.ts';
import { BinRow } from './TrashRow.tsx';
import { PurgeDialog } from './PurgeDialog.tsx';

/** A part of the bin, the last deleted first. */
export function BinList({
  orgId,
  query,
  nothing,
}: {
  /** Undefined for what is one's own. */
  readonly orgId: string | undefined;
  readonly query: typeof ownDeletedQuery;
  readonly nothing: string;
}): ReactNode {
  const bin = useInfiniteQuery(query);
  const [purging, setPurging] = useState<InBin>();
  if (bin.error !== null && bin.data === undefined) {
    return <Failure error={bin.error} retry={() => void bin.refetch()} />;
  }
  if (bin.data === undefined) return <Waiting height={240} />;
  const items = bin.data.pages.flatMap((page) => page.items);
  return (
    <Stack>
      {items.length === 0 && !bin.hasNextPage && (
        <EmptyState icon={IconTrash} title={nothing}>
          What is deleted comes here, and can be restored for 30 days.
        </EmptyState>
      )}
      {items.length > 0 && (
        <Paper withBorder component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {items.map((item) => (
            <BinRow key={item.id} item={item} orgId={orgId} onPurge={() => setPurging(item)} />
          ))}
        </Paper>
      )}
      <MoreButton list={bin}>Show older ones</MoreButton>
      <PurgeDialog item={purging} onClose={() => setPurging(undefined)} />
    </Stack>
  );
}
