import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { rangeOfText, rangeToText, type TimeRange } from '#charts/time/range.ts';
import { paths } from '../../../app/paths.ts';
import type { SharedTime } from '../../../visualizations/time/shared-time.ts';

/** Returns the range of times that all charts show, which is in the URL, and a function that changes it. */
export function useZoom(text: string | undefined): Required<Pick<SharedTime, 'zoom' | 'onZoom'>> {
  const navigate = useNavigate({ from: paths.dashboard });
  const zoom = useMemo(() => rangeOfText(text), [text]);
  const onZoom = useCallback(
    (range: TimeRange | undefined) =>
      void navigate({
        search: (search) => ({ ...search, 'time-zoom': range && rangeToText(range) }),
        resetScroll: false,
      }),
    [navigate],
  );
  return { zoom, onZoom };
}
