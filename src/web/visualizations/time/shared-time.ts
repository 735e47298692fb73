import { createContext } from 'react';
import type { TimeRange } from '#charts/time/range.ts';
import type { Annotation } from '#shared/annotations/annotations.ts';
import type { TimePointer } from './time-pointer.ts';

/** What charts over time have in common on a dashboard. */
export interface SharedTime {
  readonly annotations: readonly Annotation[];
  /** The range that all of them show; everything if it is left out. */
  readonly zoom?: TimeRange | undefined;
  /** Changes the range. If it is left out, people can't. */
  readonly onZoom?: (range: TimeRange | undefined) => void;
  readonly pointer?: TimePointer;
}

/** What the charts around share; nothing outside of dashboards. */
export const SharedTimeContext = createContext<SharedTime>({ annotations: [] });
