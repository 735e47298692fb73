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
  const stopFollowing = useRef<() => void>(undefined);
  useEffect(() => {
    if (path === undefined || path === lastPath.current) return;
    const isFirst = lastPath.current === undefined;
    lastPath.current = path;
    if (isFirst) return;
    stopFollowing.current?.();
    stopFollowing.current = followHeading(() => setTitle(document.title));
  }, [path]);
  useEffect(() => () => stopFollowing.current?.(), []);
  return <VisuallyHidden role="status">{title}</VisuallyHidden>;
}

/** How long a page may take until it shows its heading. */
const maxWaitMs = 10_000;

/**
 * Focuses the heading of a new page. Its code and data can arrive later than its path, so that there is no heading yet, or still
 * that of the page before: it is focused again whenever the focus is lost, until the person does something. Calls `onChange` after each
 * change of the page. Returns a function that stops this.
 */
function followHeading(onChange: () => void): () => void {
  const main = document.getElementById('main');
  if (main === null) return () => undefined;
  const stopped = new AbortController();
  const update = (isFirst: boolean) => {
    if (stopped.signal.aborted) return;
    const { activeElement } = document;
    const isLost = activeElement === document.body || activeElement === main;
    // A page can focus something itself, such as a field.
    if (isLost || (isFirst && !main.contains(activeElement))) focusHeading(main);
    onChange();
  };
  const observer = new MutationObserver(() => requestAnimationFrame(() => update(false)));
  const timer = setTimeout(() => stopped.abort(), maxWaitMs);
  stopped.signal.addEventListener('abort', () => {
    observer.disconnect();
    clearTimeout(timer);
  });
  for (const event of ['keydown', 'pointerdown'])
    document.addEventListener(event, () => stopped.abort(), { capture: true, signal: stopped.signal });
  // Here and above: after the page has set its title.
  requestAnimationFrame(() => {
    update(true);
    observer.observe(main, { childList: true, subtree: true });
  });
  return () => stopped.abort();
}

function focusHeading(main: HTMLElement): void {
  const heading = main.querySelector('h1') ?? main;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
