import { VisuallyHidden } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';

/**
 * Says the title of the page that one has come to, and brings the focus to its heading, as loading a page would:
 * whoever does not see the page would otherwise not know that it is another one.
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
        // Once the page has told its title.
        requestAnimationFrame(() => {
          focusHeading();
          setTitle(document.title);
        });
      }),
    [router],
  );
  return <VisuallyHidden role="status">{title}</VisuallyHidden>;
}

/** A page that has taken the focus itself keeps it. */
function focusHeading(): void {
  const main = document.getElementById('main');
  if (main === null || main.contains(document.activeElement)) return;
  const heading = main.querySelector('h1') ?? main;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
