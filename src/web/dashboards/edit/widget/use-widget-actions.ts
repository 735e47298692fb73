import { useMemo, useRef, useState, type Dispatch } from 'react';
import type { WidgetLayout } from '#contract/dashboards/dashboards.ts';
import { layoutInWords } from '../conflict/differences.ts';
import { duplicateWidget, moveWidget, removeWidget, type DraftContent } from '../draft/content.ts';
import type { EditAction } from '../../../drafts/undo-history.ts';
import { withVisibleLayouts } from '../grid/geometry.ts';
import { layoutAfterKey } from '../grid/keyboard-moves.ts';
import { randomId } from '../../../ui/browser/random-id.ts';
import { exchangeWithNeighbour } from '../../view/reading-order.ts';

/** What one can do with a widget of an edit, by its key. The same object for as long as the edit lasts. */
export interface WidgetActions {
  readonly edit: (key: string) => void;
  readonly duplicate: (key: string) => void;
  readonly remove: (key: string) => void;
  /** Lays it elsewhere, or in another size, as a pointer does. */
  readonly lay: (key: string, layout: WidgetLayout) => void;
  /** Puts it before or behind its neighbour. */
  readonly exchange: (key: string, step: -1 | 1) => void;
  /** Begins to move it by keys. */
  readonly beginMove: (key: string) => void;
  /** Takes a key while it is moved; returns whether it meant something. */
  readonly takeKey: (key: string, isShift: boolean) => boolean;
  /** Lets it lie where it was moved by keys. */
  readonly endMove: () => void;
}

interface Moving {
  readonly key: string;
  readonly layout: WidgetLayout;
}

interface Input {
  readonly content: DraftContent;
  readonly dispatch: Dispatch<EditAction<DraftContent>>;
  readonly titles: ReadonlyMap<string, string>;
  readonly onEdit: (key: string) => void;
}

export function useWidgetActions(input: Input): {
  readonly actions: WidgetActions;
  /** The widget that is moved by keys. */
  readonly moving: string | undefined;
  /** The content as it is shown: with what is moved where it would come to lie. */
  readonly shown: DraftContent;
  /** What was done, for those who hear the page. */
  readonly spoken: string;
} {
  const [moving, setMoving] = useState<Moving>();
  const [spoken, setSpoken] = useState('');
  // So that the actions stay the same, and the widgets need no look whenever one of them changes.
  const latest = useRef({ ...input, moving });
  latest.current = { ...input, moving };
  const actions = useMemo(() => createActions(latest, setMoving, setSpoken), []);
  const { content } = input;
  const shown = useMemo(
    () => (moving === undefined ? content : moveWidget(content, moving.key, moving.layout)),
    [content, moving],
  );
  return { actions, moving: moving?.key, shown, spoken };
}

function createActions(
  latest: { readonly current: Input & { readonly moving: Moving | undefined } },
  setMoving: (moving: Moving | undefined) => void,
  say: (words: string) => void,
): WidgetActions {
  const titleOf = (key: string) => latest.current.titles.get(key) ?? 'the widget';
  const change = (change: (content: DraftContent) => DraftContent) =>
    latest.current.dispatch({ type: 'change', change });
  const endMove = () => {
    const { moving } = latest.current;
    if (moving === undefined) return;
    setMoving(undefined);
    change((content) => moveWidget(content, moving.key, moving.layout));
    say(`Moved ${titleOf(moving.key)} to ${layoutInWords(moving.layout)}.`);
  };
  const cancelMove = (key: string) => {
    setMoving(undefined);
    say(`Canceled moving ${titleOf(key)}.`);
  };
  return {
    edit: (key) => latest.current.onEdit(key),
    duplicate: (key) => {
      change((content) => duplicateWidget(content, key, randomId()));
      say(`Duplicated ${titleOf(key)}. The copy is below it.`);
    },
    remove: (key) => {
      change((content) => removeWidget(content, key));
      say(`Removed ${titleOf(key)}. Undo restores it.`);
    },
    lay: (key, layout) => {
      change((content) => moveWidget(content, key, layout));
      say(`${titleOf(key)}: ${layoutInWords(layout)}.`);
    },
    exchange: (key, step) => {
      change((content) => exchangeWithNeighbour(content, key, step));
      say(`Moved ${titleOf(key)} ${step === -1 ? 'up' : 'down'}.`);
    },
    beginMove: (key) => {
      const layout = withVisibleLayouts(latest.current.content.widgets).find(
        (widget) => widget.key === key,
      )?.layout;
      if (layout === undefined) return;
      setMoving({ key, layout });
      say(
        `Moving ${titleOf(key)}: ${layoutInWords(layout)}. Arrow keys move it, Shift and arrow keys resize it, ` +
          'Enter drops it, Escape cancels.',
      );
    },
    takeKey: (key, isShift) => {
      const { moving } = latest.current;
      if (moving === undefined) return false;
      if (key === 'Enter' || key === ' ') endMove();
      else if (key === 'Escape') cancelMove(moving.key);
      else {
        const layout = layoutAfterKey(moving.layout, key, isShift);
        if (layout === undefined) return false;
        setMoving({ key: moving.key, layout });
        say(`${titleOf(moving.key)}: ${layoutInWords(layout)}`);
      }
      return true;
    },
    endMove,
  };
}
