import { useEffect, useReducer, useState } from 'react';
import {
  dropDraft,
  findDraft,
  storeDraft,
  type DraftBase,
  type DraftKind,
  type DraftKey,
  type StoredDraft,
} from './storage.ts';
import { beginHistory, reduceHistory, type EditAction, type EditHistory } from './undo-history.ts';

interface DraftState<Content> {
  readonly base: DraftBase<Content>;
  readonly history: EditHistory<Content>;
}

type DraftAction<Content> =
  | EditAction<Content>
  /** The server has saved a state: `rebase` returns the history on top of it. */
  | {
      readonly type: 'saved';
      readonly base: DraftBase<Content>;
      readonly rebase: (history: EditHistory<Content>) => EditHistory<Content>;
    };

/** An edit of a record, which is stored in this browser after each change until it is saved. */
export interface Draft<Content> {
  readonly base: DraftBase<Content>;
  readonly present: Content;
  readonly isDirty: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** When the draft that this edit continues was stored; undefined if the edit started from the saved version. */
  readonly continuedFrom: string | undefined;
  /** Whether this browser had enough space to store the draft. */
  readonly isStored: boolean;
  readonly dispatch: (action: DraftAction<Content>) => void;
}

/**
 * Continues the draft stored in this browser, or else starts from `saved`. If others save afterwards, the base of the draft
 * doesn't change: the server merges its save with theirs.
 */
export function useDraft<Content>(
  kind: DraftKind<Content>,
  { userId, recordId }: DraftKey,
  saved: DraftBase<Content>,
): Draft<Content> {
  const [found] = useState(() => {
    const draft = findDraft(localStorage, kind, { userId, recordId });
    return draft !== undefined && isUnsaved(kind, draft, saved) ? draft : undefined;
  });
  const [{ base, history }, dispatch] = useReducer(
    (state: DraftState<Content>, action: DraftAction<Content>) => reduceDraft(kind, state, action),
    undefined,
    () => beginDraft(saved, found),
  );
  const [isStored, setIsStored] = useState(true);
  const { past, present, future } = history;
  const isDirty = !kind.isSame(present, base.content) && !kind.isBlank(present);

  useEffect(() => {
    const place = { userId, recordId };
    if (!isDirty) dropDraft(localStorage, kind, place);
    else {
      const storedAt = new Date().toISOString();
      setIsStored(storeDraft(localStorage, kind, place, { storedAt, base, present }));
    }
  }, [kind, userId, recordId, base, present, isDirty]);

  return {
    base,
    present,
    isDirty,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    continuedFrom: found?.storedAt,
    isStored,
    dispatch,
  };
}

/** Whether a stored draft differs from its base, and from the version that is saved now. */
const isUnsaved = <Content>(
  kind: DraftKind<Content>,
  { base, present }: StoredDraft<Content>,
  saved: DraftBase<Content>,
): boolean => !kind.isSame(present, base.content) && !kind.isSame(present, saved.content);

const beginDraft = <Content>(
  saved: DraftBase<Content>,
  found: StoredDraft<Content> | undefined,
): DraftState<Content> =>
  found === undefined
    ? { base: saved, history: beginHistory(saved.content) }
    : {
        base: found.base,
        // Lets people undo the whole draft, even in another session.
        history: { ...beginHistory(found.present), past: [found.base.content] },
      };

function reduceDraft<Content>(
  kind: DraftKind<Content>,
  state: DraftState<Content>,
  action: DraftAction<Content>,
): DraftState<Content> {
  if (action.type === 'saved') return { base: action.base, history: action.rebase(state.history) };
  const history = reduceHistory(state.history, action, kind.isSame);
  return history === state.history ? state : { ...state, history };
}
