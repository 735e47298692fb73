import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { isExternal } from '#shared/links.ts';
import classes from './ContentBody.module.css';

/** A link to an address that `safeHref` returned. Other sites open in a new tab, and learn nothing of the dashboard. */
export const ContentAnchor = ({
  href,
  children,
}: {
  readonly href: string;
  readonly children: ReactNode;
}): ReactNode =>
  isExternal(href) ? (
    <a className={classes['anchor']} href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
      <VisuallyHidden>{` ${t('(opens in a new tab)')}`}</VisuallyHidden>
    </a>
  ) : (
    <a className={classes['anchor']} href={href}>
      {children}
    </a>
  );
