import { useMemo, useState } from 'react';
import { annotationsOfWidgets } from '#shared/annotations/annotations.ts';
import type { SharedTime } from '../../visualizations/time/shared-time.ts';
import { createTimePointer } from '../../visualizations/time/time-pointer.ts';

/** Returns what the charts over time of a dashboard have in common. */
export function useSharedTime(
  widgets: Parameters<typeof annotationsOfWidgets>[0],
  { zoom, onZoom }: Pick<SharedTime, 'zoom' | 'onZoom'> = {},
): SharedTime {
  const [pointer] = useState(createTimePointer);
  // The text identifies the value: an edit of another widget doesn't change it.
  const text = JSON.stringify(annotationsOfWidgets(widgets));
  return useMemo(
    () => ({
      // Sound because it was written above.
      annotations: JSON.parse(text) as SharedTime['annotations'],
      pointer,
      zoom,
      ...(onZoom && { onZoom }),
    }),
    [text, pointer, zoom, onZoom],
  );
}
