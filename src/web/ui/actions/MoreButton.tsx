import { Button, Stack, Text } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { counted } from '../text/nouns.ts';

/** Below a list: how much of it is shown, if `noun` is given, and a button that loads its next page, if there is one. */
export const MoreButton = ({
  list,
  noun,
  children,
}: {
  readonly list: Pick<
    UseInfiniteQueryResult<InfiniteData<{ readonly items: readonly unknown[] }>>,
    'data' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
  >;
  /** What the list consists of, such as `report`. */
  readonly noun?: string;
  /** The label, such as `Show older versions`. */
  readonly children: ReactNode;
}): ReactNode => {
  const count = list.data?.pages.reduce((sum, { items }) => sum + items.length, 0) ?? 0;
  return (
    <Stack align="center" gap="xs">
      {noun !== undefined && count > 0 && (
        <Text size="sm" c="dimmed">
          {list.hasNextPage ? `Showing the first ${counted(count, noun)}` : counted(count, noun)}
        </Text>
      )}
      {list.hasNextPage && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {children}
        </Button>
      )}
    </Stack>
  );
};
