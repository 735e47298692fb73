import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import classes from './marks.module.css';

/**
 * The marks of a chart as a list for the keyboard and for screen readers, which covers the chart. Of the options, only the
 * active one is on the page, since a chart can have thousands.
 */
export function MarkList({
  label,
  count,
  textOf,
  isSelected,
  above,
  onActivate,
  onLeave,
  onOpen,
  onToggle,
}: {
  readonly label: string;
  readonly count: number;
  readonly textOf: (index: number) => string;
  readonly isSelected: (index: number) => boolean;
  /** Returns the mark above another one (1) or below it (-1), such as in the next series. */
  readonly above: (index: number, step: 1 | -1) => number;
  readonly onActivate: (index: number) => void;
  readonly onLeave: () => void;
  readonly onOpen: (index: number) => void;
  readonly onToggle: (index: number) => void;
}): ReactNode {
  const id = useId();
  const [chosen, setActive] = useState(0);
  const active = Math.min(chosen, count - 1);
  if (count === 0) return null;

  const handleKey = (event: KeyboardEvent) => {
    const { key } = event;
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: active - 1,
      ArrowRight: active + 1,
      ArrowUp: above(active, 1),
      ArrowDown: above(active, -1),
      Home: 0,
      End: count - 1,
    };
    const next = moves[key];
    if (next !== undefined) {
      const moved = Math.min(Math.max(next, 0), count - 1);
      setActive(moved);
      onActivate(moved);
    } else if (key === ' ' || (key === 'Enter' && (event.ctrlKey || event.metaKey || event.shiftKey))) {
      onToggle(active);
    } else if (key === 'Enter') {
      onOpen(active);
    } else {
      return;
    }
    event.preventDefault();
    // The menu that opens would be closed by the same key, as one pressed outside of it.
    event.stopPropagation();
  };

  return (
    <div
      role="listbox"
      tabIndex={0}
      className={`${classes['list']} no-print`}
      aria-label={label}
      aria-multiselectable
      aria-activedescendant={id}
      onKeyDown={handleKey}
      onFocus={({ currentTarget }) => {
        // A click gives it no focus, so that this is the keyboard.
        if (currentTarget.matches(':focus-visible')) onActivate(active);
      }}
      onBlur={onLeave}
    >
      <div
        id={id}
        role="option"
        className={classes['option']}
        aria-selected={isSelected(active)}
        aria-setsize={count}
        aria-posinset={active + 1}
      >
        {textOf(active)}
      </div>
    </div>
  );
}
