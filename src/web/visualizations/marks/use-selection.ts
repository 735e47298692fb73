import { useWindowEvent } from '@mantine/hooks';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { ResultRows } from '#charts/values/result-values.ts';
import {
  stateByPicked,
  type ChooseMark,
  type IsPicked,
  type Mark,
  type StateOf,
} from '#charts/marks/mark.ts';

/** Where a menu opens, in pixels of the window. */
export interface MenuPlace {
  readonly x: number;
  readonly y: number;
}

/** The selected marks of a chart, and its menu. */
export interface Selection {
  readonly marks: readonly Mark[];
  /** Where the menu is open. */
  readonly menuAt: MenuPlace | undefined;
  /** Whether the marks stay selected after the menu has been closed. */
  readonly isKept: boolean;
  readonly choose: ChooseMark;
  readonly stateOf: StateOf | undefined;
  readonly openMenu: (at: MenuPlace) => void;
  readonly closeMenu: () => void;
  /** From now on, a click selects a mark without opening the menu. */
  readonly selectMore: () => void;
  readonly clear: () => void;
}

interface Selected {
  readonly marks: readonly Mark[];
  readonly isKept: boolean;
  /** Whether a click selects a mark without opening the menu. */
  readonly isSelecting: boolean;
}

const nothing: Selected = { marks: [], isKept: false, isSelecting: false };

/**
 * Returns which marks of a chart are selected. A click opens the menu of a mark, or of all selected marks if it is one of
 * them. A click with Ctrl, Cmd or Shift selects several, and so does every click after `selectMore`.
 */
export function useSelection(result: Pick<ResultRows, 'columns'>, isPicked: IsPicked | undefined): Selection {
  const [{ marks, isKept, isSelecting }, setSelected] = useState(nothing);
  const [menuAt, setMenuAt] = useState<MenuPlace>();
  const focused = useRef<Element>(null);

  const openMenu = useCallback((at: MenuPlace) => {
    focused.current = document.activeElement;
    setMenuAt(at);
  }, []);
  const closeMenu = useCallback(() => {
    // People who use the keyboard continue at the same mark.
    if (focused.current instanceof HTMLElement) focused.current.focus();
    setMenuAt(undefined);
    setSelected((before) => (before.isKept ? before : nothing));
  }, []);
  const clear = useCallback(() => {
    setMenuAt(undefined);
    setSelected(nothing);
  }, []);
  const selectMore = useCallback(
    () => setSelected((before) => ({ ...before, isKept: true, isSelecting: true })),
    [],
  );
  const choose: ChooseMark = useCallback(
    (mark, { x, y, isAdding }) => {
      const isOther = ({ key }: Mark) => key !== mark.key;
      if (isAdding || isSelecting) {
        const rest = marks.filter(isOther);
        const next = rest.length < marks.length ? rest : [...marks, mark];
        setSelected((before) => ({ ...before, marks: next, isKept: next.length > 0 || isSelecting }));
        return;
      }
      if (marks.every(isOther)) setSelected({ ...nothing, marks: [mark] });
      openMenu({ x, y });
    },
    [marks, isSelecting, openMenu],
  );
  useWindowEvent('keydown', ({ key }) => {
    // The first Escape closes the menu.
    if (key === 'Escape' && menuAt === undefined && (marks.length > 0 || isKept)) clear();
  });

  const stateOf = useMemo(
    () => stateByPicked(result, new Set(marks.map(({ key }) => key)), isPicked),
    [result, marks, isPicked],
  );
  return { marks, menuAt, isKept, choose, stateOf, openMenu, closeMenu, selectMore, clear };
}
