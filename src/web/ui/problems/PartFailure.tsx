import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useChunkReload } from '../connection/use-chunk-reload.ts';
import { Failure } from './Failure.tsx';

/** Shown when a part of a page fails. Reloads the page if the part belongs to another version of the application. */
export function PartFailure({ error }: { readonly error: unknown }): ReactNode {
  return useChunkReload(error) ? <Skeleton h={50} /> : <Failure error={error} />;
}
