import { Button, Progress } from '@mantine/core';
import type { ReactNode } from 'react';
import { errorMessage } from '../../ui/problems/message.ts';
import classes from '../view/DashboardToolbar.module.css';
import type { DashboardResults } from './use-dashboard-results.ts';

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** How many widgets have loaded, when they were updated, or why the request failed. */
export function LoadingStatus({
  results: { isLoading, updatedAt, error },
  loaded,
  total,
  onRetry,
}: {
  readonly results: DashboardResults;
  readonly loaded: number;
  readonly total: number;
  readonly onRetry: () => void;
}): ReactNode {
  const showsProgress = isLoading && total > 0;
  return (
    <div className={classes['status']}>
      {showsProgress && (
        <Progress className={classes['bar']} size={4} value={(100 * loaded) / total} aria-hidden />
      )}
      <span role="status" aria-live="polite">
        {showsProgress
          ? `${loaded} of ${total} loaded`
          : error !== null
            ? errorMessage(error).title
            : total > 0 && `Updated at ${time.format(updatedAt)}`}
      </span>
      {!isLoading && error !== null && (
        <Button size="compact-sm" variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
