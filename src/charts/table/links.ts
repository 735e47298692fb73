import { safeHref } from '#shared/links.ts';

/** An address that a cell links to. */
export interface CellLink {
  readonly href: string;
  /** Whether it is on another server. */
  readonly isExternal: boolean;
}

/** Returns the link to an address from data; undefined unless `safeHref` accepts it. A mail address opens no new tab. */
export function cellLink(value: unknown): CellLink | undefined {
  const href = typeof value === 'string' ? safeHref(value) : undefined;
  return href === undefined ? undefined : { href, isExternal: /^https?:/.test(href) };
}
