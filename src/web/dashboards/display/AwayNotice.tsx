import { IconPlugConnectedX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { dateFormat } from '#shared/region/intl.ts';
import classes from './Display.module.css';

/** Says since when a display has shown the same, while the server doesn't respond. */
export const AwayNotice = ({
  since,
  timeZone,
}: {
  /** In milliseconds since 1970; undefined while the server responds. */
  readonly since: number | undefined;
  readonly timeZone: string;
}): ReactNode => (
  // The element that screen readers announce, which is there before its text.
  <div role="status" className={classes['away']}>
    {since !== undefined && (
      <div className={classes['notice']}>
        <IconPlugConnectedX size="1.4em" aria-hidden />
        <span>
          {t('The server hasn’t responded since {time}. Trying again.', {
            time: dateFormat({ dateStyle: 'medium', timeStyle: 'short', timeZone }).format(since),
          })}
        </span>
      </div>
    )}
  </div>
);
