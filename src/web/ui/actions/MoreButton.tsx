import { Button, Stack, Text } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';

/** Below a list: how much of it is shown, if `total` is given, and a button that loads its next page, if there is one. */
export const MoreButton = ({
  list,
  total,
  children,
}: {
  readonly list: Pick<
    UseInfiniteQueryResult<InfiniteData<{ readonly items: readonly unknown[] }>>,
    'data' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
  >;
  /** Returns a number of what the list consists of, such as “3 reports”. */
  readonly total?: (count: number) => string;
  /** The label, such as `Show older versions`. */
  readonly children: ReactNode;
}): ReactNode => {
  const count = list.data?.pages.reduce((sum, { items }) => sum + items.length, 0) ?? 0;
  return (
    <Stack align="center" gap="xs">
      {total !== undefined && count > 0 && (
        <Text size="sm" c="dimmed">
          {list.hasNextPage ? t('Showing the first {count}', { count: total(count) }) : total(count)}
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
