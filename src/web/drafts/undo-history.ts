/** The states of an edit, so that each step can be undone and redone. */
export interface EditHistory<Content> {
  readonly past: readonly Content[];
  readonly present: Content;
  readonly future: readonly Content[];
  /** What the last step changed: consecutive steps of one group, such as typing, count as one. */
  readonly group?: string;
}

export type EditAction<Content> =
  | {
      readonly type: 'change';
      readonly change: (content: Content) => Content;
      readonly group?: string;
    }
  /** Changes the present without a step of its own, such as what follows from the last step. */
  | { readonly type: 'amend'; readonly change: (content: Content) => Content }
  | { readonly type: 'undo' }
  | { readonly type: 'redo' };

export const beginHistory = <Content>(present: Content): EditHistory<Content> => ({
  past: [],
  present,
  future: [],
});

/** Returns the history after an action; the same object if nothing changed. */
export function reduceHistory<Content>(
  history: EditHistory<Content>,
  action: EditAction<Content>,
  isSame: (one: Content, other: Content) => boolean,
): EditHistory<Content> {
  switch (action.type) {
    case 'change': {
      const content = action.change(history.present);
      return isSame(content, history.present) ? history : withStep(history, content, action.group);
    }
    case 'amend': {
      const present = action.change(history.present);
      return isSame(present, history.present) ? history : { ...history, present };
    }
    case 'undo':
      return undo(history);
    case 'redo':
      return redo(history);
  }
}

/** Returns the history with `change` applied to every state. */
export const mapHistory = <Content>(
  { past, present, future }: EditHistory<Content>,
  change: (content: Content) => Content,
): EditHistory<Content> => ({
  past: past.map(change),
  present: change(present),
  future: future.map(change),
});

function withStep<Content>(
  { past, present, group: lastGroup }: EditHistory<Content>,
  content: Content,
  group: string | undefined,
): EditHistory<Content> {
  const continues = group !== undefined && group === lastGroup;
  return {
    past: continues ? past : [...past, present],
    present: content,
    future: [],
    ...(group !== undefined && { group }),
  };
}

function undo<Content>({ past, present, future }: EditHistory<Content>): EditHistory<Content> {
  const before = past.at(-1);
  return before === undefined
    ? { past, present, future }
    : { past: past.slice(0, -1), present: before, future: [present, ...future] };
}

function redo<Content>({
  past,
  present,
  future: [next, ...future],
}: EditHistory<Content>): EditHistory<Content> {
  return next === undefined
    ? { past, present, future: [] }
    : { past: [...past, present], present: next, future };
}
