import type { ReactNode } from 'react';
import { exactTime, relativeTime } from './times.ts';

/** A time relative to now, with the exact time as its tooltip. */
export const TimeAgo = ({ at }: { readonly at: string }): ReactNode => (
  <time dateTime={at} title={exactTime(at)}>
    {relativeTime(at)}
  </time>
);
