import { useEffect, useState } from 'react';
import { MissingChunk, reloadOnceFor } from './chunks.ts';

/** Reloads the page if `error` is a missing chunk for which it hasn't reloaded yet. Returns whether the page may still reload. */
export function useChunkReload(error: unknown): boolean {
  const [isReloading, setIsReloading] = useState(error instanceof MissingChunk);
  useEffect(() => {
    if (error instanceof MissingChunk && !reloadOnceFor(error)) setIsReloading(false);
  }, [error]);
  return isReloading;
}
