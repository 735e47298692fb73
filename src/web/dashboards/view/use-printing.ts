import { useIsFetching } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Charts are rendered one by one after their results have arrived. */
const maxWaitMs = 15_000;

/**
 * Returns whether all of a dashboard is shown to be printed, and a function that prints it once everything has loaded. If the
 * browser's own command prints it, what hasn't loaded yet is empty.
 */
export function usePrinting(isLoading: boolean): {
  readonly isExpanded: boolean;
  readonly print: () => void;
} {
  const [state, setState] = useState<'off' | 'preparing' | 'printing'>('off');
  const isFetching = useIsFetching({ queryKey: ['filter-values'] }) > 0;
  useEffect(() => {
    const begin = () => flushSync(() => setState('printing'));
    const end = () => setState('off');
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  useEffect(() => {
    if (state !== 'preparing' || isLoading || isFetching) return undefined;
    const controller = new AbortController();
    void whenRendered(controller.signal).then(() => {
      if (!controller.signal.aborted) window.print();
    });
    return () => controller.abort();
  }, [state, isLoading, isFetching]);
  const print = useCallback(() => setState('preparing'), []);
  return { isExpanded: state !== 'off', print };
}

/** Resolves when no widget is waiting for its result or its chart. */
async function whenRendered(signal: AbortSignal): Promise<void> {
  const endsAt = performance.now() + maxWaitMs;
  do {
    // Two frames: what has just been shown may still have to be requested.
    await nextFrame();
    await nextFrame();
  } while (!signal.aborted && performance.now() < endsAt && isIncomplete());
}

const isIncomplete = (): boolean =>
  document.querySelector('main [aria-busy=true], main .mantine-Skeleton-root, main [role=img]:empty') !==
  null;

const nextFrame = async (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
