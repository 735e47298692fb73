import { Button, Center } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

/** Reads the next page of a list, below it; nothing when there is none. */
export const MoreButton = ({
  list,
  children,
}: {
  readonly list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
  /** What it says: `Show older versions`. */
  readonly children: ReactNode;
}): ReactNode =>
  list.hasNextPage && (
    <Center>
      <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {children}
      </Button>
    </Center>
  );
