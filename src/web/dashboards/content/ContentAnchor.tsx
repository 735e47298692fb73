import { VisuallyHidden } from '@mantine/core';
import { useContext, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { isExternal } from '#shared/links.ts';
import { LocalLinks } from '../../ui/browser/local-links.ts';
import classes from './ContentBody.module.css';

/**
 * A link to an address that `safeHref` returned. Other sites open in a new tab, and learn nothing of the dashboard. Where pages of this
 * server can't be opened, links to them are texts.
 */
export function ContentAnchor({
  href,
  children,
}: {
  readonly href: string;
  readonly children: ReactNode;
}): ReactNode {
  const hasLocalLinks = useContext(LocalLinks);
  if (isExternal(href)) {
    return (
      <a className={classes['anchor']} href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
        <VisuallyHidden>{` ${t('(opens in a new tab)')}`}</VisuallyHidden>
      </a>
    );
  }
  if (!hasLocalLinks) return children;
  return (
    <a className={classes['anchor']} href={href}>
      {children}
    </a>
  );
}
