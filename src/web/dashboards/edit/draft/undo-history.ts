import { isSameContent, type DraftContent } from './content.ts';

/** An edit with every state that it went through, so that each step can be undone and redone. */
export interface EditHistory {
  readonly past: readonly DraftContent[];
  readonly present: DraftContent;
  readonly future: readonly DraftContent[];
  /** What the last step was about: steps of one kind that follow each other, such as typing, are one. */
  readonly group?: string;
}

export type EditAction =
  | {
      readonly type: 'change';
      readonly change: (content: DraftContent) => DraftContent;
      readonly group?: string;
    }
  | { readonly type: 'undo' }
  | { readonly type: 'redo' }
  /** Begins anew, as when others' edits came in: to undo past that would undo theirs. */
  | { readonly type: 'begin'; readonly content: DraftContent }
  /** Tells the ids that the server gave to new widgets, by their keys. */
  | { readonly type: 'identify'; readonly ids: ReadonlyMap<string, string> };

export const beginHistory = (present: DraftContent): EditHistory => ({ past: [], present, future: [] });

/** Returns the history after an action; the same one when nothing has changed. */
export function reduceHistory(history: EditHistory, action: EditAction): EditHistory {
  switch (action.type) {
    case 'change':
      return change(history, action.change(history.present), action.group);
    case 'undo':
      return undo(history);
    case 'redo':
      return redo(history);
    case 'begin':
      return beginHistory(action.content);
    case 'identify':
      return identify(history, action.ids);
  }
}

function change(history: EditHistory, content: DraftContent, group: string | undefined): EditHistory {
  const { past, present } = history;
  if (content === present || isSameContent(content, present)) return history;
  const continues = group !== undefined && group === history.group;
  return {
    past: continues ? past : [...past, present],
    present: content,
    future: [],
    ...(group !== undefined && { group }),
  };
}

function undo({ past, present, future }: EditHistory): EditHistory {
  const before = past.at(-1);
  return before === undefined
    ? { past, present, future }
    : { past: past.slice(0, -1), present: before, future: [present, ...future] };
}

function redo({ past, present, future: [next, ...future] }: EditHistory): EditHistory {
  return next === undefined
    ? { past, present, future: [] }
    : { past: [...past, present], present: next, future };
}

function identify({ past, present, future }: EditHistory, ids: ReadonlyMap<string, string>): EditHistory {
  const identified = (content: DraftContent): DraftContent => ({
    ...content,
    widgets: content.widgets.map((widget) => {
      const id = ids.get(widget.key);
      return id === undefined || id === widget.id ? widget : { ...widget, id };
    }),
  });
  return { past: past.map(identified), present: identified(present), future: future.map(identified) };
}
