import { VisuallyHidden } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';

/**
 * Announces the title of a new page and focuses its heading, as a full page load would. Otherwise, people who use a screen
 * reader wouldn't notice that the page has changed.
 */
export function RouteAnnouncer(): ReactNode {
  const router = useRouter();
  const [title, setTitle] = useState('');
  const lastPath = useRef<string>(undefined);
  useEffect(
    () =>
      router.subscribe('onRendered', ({ toLocation, fromLocation }) => {
        const isFirst = fromLocation === undefined && lastPath.current === undefined;
        const isSame = (lastPath.current ?? fromLocation?.pathname) === toLocation.pathname;
        lastPath.current = toLocation.pathname;
        if (isFirst || isSame) return;
        // After the page has set its title.
        requestAnimationFrame(() => {
          focusHeading();
          setTitle(document.title);
        });
      }),
    [router],
  );
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
