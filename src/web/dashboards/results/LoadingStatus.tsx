import { Button, Progress } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { dateFormat } from '#shared/region/intl.ts';
import { errorMessage } from '../../ui/problems/message.ts';
import classes from '../view/DashboardToolbar.module.css';
import type { LoadedResults } from './loader.ts';
import { countLoaded } from './shown-widgets.ts';

/** How many widgets have loaded, when they were updated, or why the request failed. */
export function LoadingStatus({
  results,
  onRetry,
}: {
  readonly results: LoadedResults;
  readonly onRetry: () => void;
}): ReactNode {
  const { loading, updatedAt, error } = results;
  const isLoading = loading.size > 0;
  const loaded = countLoaded(results);
  const total = results.wanted.length;
  return (
    <div className={classes['status']}>
      {isLoading && (
        <Progress className={classes['bar']} size={4} value={(100 * loaded) / total} aria-hidden />
      )}
      <span role="status" aria-live="polite">
        {isLoading
          ? t('{loaded} of {total} loaded', { loaded, total })
          : error !== null
            ? errorMessage(error).title
            : updatedAt > 0 &&
              t('Updated at {time}', { time: dateFormat({ timeStyle: 'short' }).format(updatedAt) })}
      </span>
      {!isLoading && error !== null && (
        <Button size="compact-sm" variant="default" onClick={onRetry}>
          {t('Try again')}
        </Button>
      )}
    </div>
  );
}
