import type { ReactNode } from 'react';
import type { ContentLink } from '#shared/content-widgets/content-widgets.ts';
import { safeHref } from '#shared/links.ts';
import { ContentAnchor } from './ContentAnchor.tsx';
import classes from './ContentBody.module.css';

/** A list of links, each with its description. */
export const ContentLinks = ({ links }: { readonly links: readonly ContentLink[] }): ReactNode => (
  <ul className={classes['links']}>
    {links.map(({ label, url, description }, index) => (
      // Two links may be the same.
      <li key={index}>
        <ContentAnchor href={safeHref(url) ?? ''}>{label}</ContentAnchor>
        {description !== undefined && <p className={classes['description']}>{description}</p>}
      </li>
    ))}
  </ul>
);
