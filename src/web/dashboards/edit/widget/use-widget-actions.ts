import { useMemo, useRef, useState, type Dispatch } from 'react';
import type { WidgetLayout } from '#contract/dashboards/dashboards.ts';
import { layoutInWords } from '../conflict/differences.ts';
import { duplicateWidget, minSizeOf, moveWidget, removeWidget, type DraftContent } from '../draft/content.ts';
import { parentOf, widgetsOnGrid } from '../draft/grids.ts';
import { moveToGrid, placesIn } from '../draft/moving.ts';
import type { Drop } from '../grid/drop-target.ts';
import type { EditAction } from '../../../drafts/undo-history.ts';
import { withVisibleLayouts } from '#shared/grid/visible-layouts.ts';
import { t } from '#shared/language/messages.ts';
import { layoutAfterKey } from '../grid/keyboard-moves.ts';
import { randomId } from '../../../../client/random-id.ts';
import { swapWithNeighbor } from '../../view/reading-order.ts';

/** The actions for a widget, by its key. The object stays the same during an edit. */
export interface WidgetActions {
  readonly edit: (key: string) => void;
  readonly duplicate: (key: string) => void;
  readonly remove: (key: string) => void;
  /** Moves or resizes it, after a drag. */
  readonly place: (key: string, layout: WidgetLayout) => void;
  /** Swaps it with the previous or next widget in reading order. */
  readonly swap: (key: string, step: -1 | 1) => void;
  /** Moves it to another grid, where it was dropped. */
  readonly drop: (key: string, drop: Drop) => void;
  /** Asks for the tab or section to move it to. */
  readonly moveTo: (key: string) => void;
  /** Starts moving it with the keyboard. */
  readonly beginMove: (key: string) => void;
  /** Handles a key during a move. Returns whether the key has a meaning. */
  readonly handleKey: (key: string, isShift: boolean) => boolean;
  /** Drops it where it was moved to. */
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
  readonly onMoveTo: (key: string) => void;
}

export function useWidgetActions(input: Input): {
  readonly actions: WidgetActions;
  /** The key of the widget that is being moved with the keyboard. */
  readonly moving: string | undefined;
  /** The content as it is shown: with the moving widget where it would be dropped. */
  readonly shown: DraftContent;
  /** What was done, for people who use a screen reader. */
  readonly announcement: string;
  readonly announce: (text: string) => void;
} {
  const [moving, setMoving] = useState<Moving>();
  const [announcement, setAnnouncement] = useState('');
  // Keeps the actions the same object, so that a change of one widget doesn't render all of them again.
  const latest = useRef({ ...input, moving });
  latest.current = { ...input, moving };
  const actions = useMemo(() => createActions(latest, setMoving, setAnnouncement), []);
  const { content } = input;
  const shown = useMemo(
    () => (moving === undefined ? content : moveWidget(content, moving.key, moving.layout)),
    [content, moving],
  );
  return { actions, moving: moving?.key, shown, announcement, announce: setAnnouncement };
}

function createActions(
  latest: { readonly current: Input & { readonly moving: Moving | undefined } },
  setMoving: (moving: Moving | undefined) => void,
  announce: (text: string) => void,
): WidgetActions {
  const titleOf = (key: string) => latest.current.titles.get(key) ?? t('the widget');
  const change = (change: (content: DraftContent) => DraftContent) =>
    latest.current.dispatch({ type: 'change', change });
  const endMove = () => {
    const { moving } = latest.current;
    if (moving === undefined) return;
    setMoving(undefined);
    change((content) => moveWidget(content, moving.key, moving.layout));
    announce(
      t('Moved {title} to {place}.', {
        title: titleOf(moving.key),
        place: layoutInWords(moving.layout),
      }),
    );
  };
  const cancelMove = (key: string) => {
    setMoving(undefined);
    announce(t('Cancelled moving {title}.', { title: titleOf(key) }));
  };
  return {
    edit: (key) => latest.current.onEdit(key),
    drop: (key, { parent, layout }) => {
      const place = placesIn(latest.current.content.widgets).find((each) => each.key === parent);
      change((content) => moveToGrid(content, key, parent, layout));
      announce(
        t('Moved {title} to {place}.', { title: titleOf(key), place: place?.name ?? t('another place') }),
      );
    },
    moveTo: (key) => latest.current.onMoveTo(key),
    duplicate: (key) => {
      change((content) => duplicateWidget(content, key, randomId()));
      announce(t('Duplicated {title}. The copy is below it.', { title: titleOf(key) }));
    },
    remove: (key) => {
      change((content) => removeWidget(content, key));
      announce(t('Removed {title}. Undo restores it.', { title: titleOf(key) }));
    },
    place: (key, layout) => {
      change((content) => moveWidget(content, key, layout));
      announce(`${titleOf(key)}: ${layoutInWords(layout)}.`);
    },
    swap: (key, step) => {
      change((content) => swapWithNeighbor(content, key, step));
      announce(
        step === -1
          ? t('Moved {title} up.', { title: titleOf(key) })
          : t('Moved {title} down.', { title: titleOf(key) }),
      );
    },
    beginMove: (key) => {
      const { widgets } = latest.current.content;
      const layout = withVisibleLayouts(widgetsOnGrid(widgets, parentOf(widgets, key))).find(
        (widget) => widget.key === key,
      )?.layout;
      if (layout === undefined) return;
      setMoving({ key, layout });
      announce(
        t(
          'Moving {title}: {place}. Arrow keys move it, Shift and arrow keys resize it, Enter drops it, Escape cancels.',
          { title: titleOf(key), place: layoutInWords(layout) },
        ),
      );
    },
    handleKey: (key, isShift) => {
      const { moving } = latest.current;
      if (moving === undefined) return false;
      if (key === 'Enter' || key === ' ') endMove();
      else if (key === 'Escape') cancelMove(moving.key);
      else {
        const widget = latest.current.content.widgets.find((each) => each.key === moving.key);
        const layout = widget && layoutAfterKey(moving.layout, key, isShift, minSizeOf(widget));
        if (layout === undefined) return false;
        setMoving({ key: moving.key, layout });
        announce(`${titleOf(moving.key)}: ${layoutInWords(layout)}`);
      }
      return true;
    },
    endMove,
  };
}
