import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { hasLetterShortcuts, letterPlaces } from './keyboard.ts';

/** How long after `g` the second letter is accepted. */
const patienceMs = 3_000;

/** `?` shows the shortcuts; `g` and then a letter opens a page of the organization. */
export function useLetterShortcuts(orgId: string | undefined, onShowShortcuts: () => void): void {
  const navigate = useNavigate();
  const goAt = useRef(-patienceMs);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTaken(event.target) || !hasLetterShortcuts()) return;
      const isAfterGo = event.timeStamp - goAt.current < patienceMs;
      goAt.current = -patienceMs;
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
const isTaken = (target: EventTarget | null): boolean =>
  (target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable=true], [role=application], [role=menu]') !==
      null) ||
  document.querySelector('[aria-modal=true]') !== null;
