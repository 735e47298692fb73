import { useEffect, useReducer, useState } from 'react';
import { isSameContent, type DraftContent } from './content.ts';
import { dropDraft, findDraft, keepDraft, type DraftBase, type DraftPlace } from './storage.ts';
import { beginDraft, reduceDraft, type DraftAction, type ReadDashboard } from './state.ts';

/** The edit of a dashboard, which is kept on this machine at each step until it is saved. */
export interface Draft {
  readonly base: DraftBase;
  readonly present: DraftContent;
  readonly isDirty: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** When the draft was kept that this edit goes on with; undefined when it began anew. */
  readonly continuedFrom: string | undefined;
  /** Whether this machine has room for the draft. */
  readonly isKept: boolean;
  readonly dispatch: (action: DraftAction) => void;
}

export function useDraft(place: DraftPlace, read: ReadDashboard): Draft {
  const { userId, dashboardId } = place;
  const [found] = useState(() => findDraft(localStorage, place));
  const kept = found !== undefined && !isSameContent(found.present, found.base.content) ? found : undefined;
  const [state, dispatch] = useReducer(reduceDraft, undefined, () => beginDraft(read, kept));
  const [isKept, setIsKept] = useState(true);
  const { base, history } = state;
  const { past, present, future } = history;
  const isDirty = !isSameContent(present, base.content);

  useEffect(() => {
    const place = { userId, dashboardId };
    if (!isDirty) dropDraft(localStorage, place);
    else setIsKept(keepDraft(localStorage, place, { keptAt: new Date().toISOString(), base, present }));
  }, [userId, dashboardId, base, present, isDirty]);

  return {
    base,
    present,
    isDirty,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    continuedFrom: kept?.keptAt,
    isKept,
    dispatch,
  };
}
