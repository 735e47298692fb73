import { Button, Progress } from '@mantine/core';
import type { ReactNode } from 'react';
import { wordsOf } from '../../ui/problems/words.ts';
import classes from '../view/DashboardToolbar.module.css';
import type { DashboardResults } from './use-dashboard-results.ts';

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** How many widgets have their answer, or since when they have it, or why they have none. */
export function LoadingStatus({
  results: { isReading, readAt, error },
  loaded,
  total,
  onRetry,
}: {
  readonly results: DashboardResults;
  readonly loaded: number;
  readonly total: number;
  readonly onRetry: () => void;
}): ReactNode {
  const isLoading = isReading && total > 0;
  return (
    <div className={classes['status']}>
      {isLoading && (
        <Progress className={classes['bar']} size={4} value={(100 * loaded) / total} aria-hidden />
      )}
      <span role="status" aria-live="polite">
        {isLoading
          ? `${loaded} of ${total} loaded`
          : error !== null
            ? wordsOf(error).title
            : total > 0 && `Updated at ${time.format(readAt)}`}
      </span>
      {!isReading && error !== null && (
        <Button size="compact-sm" variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
