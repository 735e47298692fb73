import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from '../problems/Failure.tsx';
import { Waiting } from './Waiting.tsx';

/** Content that needs the data of a query. Until then, a placeholder of about its height, or why the data can't be loaded. */
export function Loaded<Data>({
  query: { data, error, refetch },
  height,
  children,
}: {
  readonly query: UseQueryResult<Data>;
  readonly height: number;
  readonly children: (data: Data) => ReactNode;
}): ReactNode {
  if (error !== null) return <Failure error={error} retry={() => void refetch()} />;
  return data === undefined ? <Waiting height={height} /> : children(data);
}
