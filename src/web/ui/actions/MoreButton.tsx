import { Button, Center } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

/** A button below a list that loads its next page; nothing if there is none. */
export const MoreButton = ({
  list,
  children,
}: {
  readonly list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
  /** The label, such as `Show older versions`. */
  readonly children: ReactNode;
}): ReactNode =>
  list.hasNextPage && (
    <Center>
      <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {children}
      </Button>
    </Center>
  );
