import { VisuallyHidden } from '@mantine/core';
import { useMatches } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';

/**
 * Announces the title of a new page and focuses its heading, as a full page load would. Otherwise, people who use a screen
 * reader wouldn't notice that the page has changed.
 */
export function RouteAnnouncer(): ReactNode {
  const path = useMatches({
    select: (matches) =>
      matches.some(({ status }) => status === 'pending') ? undefined : matches.at(-1)?.pathname,
  });
  const [title, setTitle] = useState('');
  const lastPath = useRef<string>(undefined);
  useEffect(() => {
    if (path === undefined || path === lastPath.current) return;
    const isFirst = lastPath.current === undefined;
    lastPath.current = path;
    if (isFirst) return;
    // After the page has set its title.
    requestAnimationFrame(() => {
      focusHeading();
      setTitle(document.title);
    });
  }, [path]);
  return <VisuallyHidden role="status">{title}</VisuallyHidden>;
}

/** Focuses the heading, unless the page has focused something itself. */
function focusHeading(): void {
  const main = document.getElementById('main');
  if (main === null || main.contains(document.activeElement)) return;
  const heading = main.querySelector('h1') ?? main;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
