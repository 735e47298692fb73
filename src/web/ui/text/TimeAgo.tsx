import type { ReactNode } from 'react';
import { exactTime, timeInWords } from './times.ts';

/** When something was, in words, with the exact time behind it. */
export const TimeAgo = ({ at }: { readonly at: string }): ReactNode => (
  <time dateTime={at} title={exactTime(at)}>
    {timeInWords(at)}
  </time>
);
