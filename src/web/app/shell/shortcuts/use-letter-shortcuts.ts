import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { hasLetterShortcuts, letterPlaces } from './keyboard.ts';

/** How long after `g` the second letter is accepted. */
const sequenceTimeoutMs = 3_000;

/** `?` shows the shortcuts; `g` and then a letter opens a page of the organization. */
export function useLetterShortcuts(orgId: string | undefined, onShowShortcuts: () => void): void {
  const navigate = useNavigate();
  const goAt = useRef(-sequenceTimeoutMs);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (takesLetters(event.target) || !hasLetterShortcuts()) return;
      const isAfterGo = event.timeStamp - goAt.current < sequenceTimeoutMs;
      goAt.current = -sequenceTimeoutMs;
      if (event.key === '?') onShowShortcuts();
      else if (event.key === 'g') goAt.current = event.timeStamp;
      else if (isAfterGo && orgId !== undefined) {
        const place = letterPlaces.find(({ key }) => key === event.key);
        if (place !== undefined) void navigate({ to: place.to, params: { orgId } });
      }
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [navigate, orgId, onShowShortcuts]);
}

/** Whether the focused element handles letters itself, or a dialog or a menu is open. */
const takesLetters = (target: EventTarget | null): boolean =>
  (target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable=true], [role=application], [role=menu]') !==
      null) ||
  document.querySelector('[aria-modal=true]') !== null;
