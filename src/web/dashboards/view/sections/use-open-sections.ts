import { useCallback, useMemo, useState } from 'react';
import { findJson, storeJson } from '../../../ui/browser/stored-json.ts';
import type { Anchor } from './linked-section.ts';

/** Which sections are expanded. */
export interface OpenSections {
  /** The section that the URL names: it is expanded and scrolled into view. */
  readonly linked: Anchor;
  readonly isOpen: (anchor: Anchor, isCollapsed: boolean) => boolean;
  readonly setOpen: (anchor: Anchor, isOpen: boolean) => void;
}

type Choices = Readonly<Record<Anchor, boolean>>;

/** More than people collapse and expand, and few enough to read at once. */
const maxChoices = 500;

/**
 * Returns which sections of a dashboard are expanded: as the reader left them in this browser, or else as the dashboard defines
 * it. A linked section is expanded until the reader collapses it.
 */
export function useOpenSections(dashboardId: string, linked: Anchor): OpenSections {
  const name = `atrium:sections:${dashboardId}`;
  const [choices, setChoices] = useState<Choices>(() => findJson(localStorage, name, readChoices) ?? {});
  const [closed, setClosed] = useState('');
  const isOpen = useCallback(
    (anchor: Anchor, isCollapsed: boolean) => {
      if (anchor === linked && anchor !== closed) return true;
      return Object.hasOwn(choices, anchor) ? choices[anchor] === true : !isCollapsed;
    },
    [choices, linked, closed],
  );
  const setOpen = useCallback(
    (anchor: Anchor, isOpen: boolean) => {
      setClosed(isOpen ? '' : anchor);
      setChoices((before) => {
        const others = Object.entries(before).filter(([other]) => other !== anchor);
        const after = Object.fromEntries([...others, [anchor, isOpen] as const].slice(-maxChoices));
        storeJson(localStorage, name, after);
        return after;
      });
    },
    [name],
  );
  return useMemo(() => ({ linked, isOpen, setOpen }), [linked, isOpen, setOpen]);
}

const readChoices = (value: unknown): Choices | undefined =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).filter(([, isOpen]) => typeof isOpen === 'boolean'))
    : undefined;
