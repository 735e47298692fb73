import { useEffect, useReducer, useRef, useState } from 'react';
import { isSameContent, type DraftContent } from './draft-content.ts';
import {
  draftName,
  dropOwnDraft,
  findDraft,
  keepDraft,
  type DraftBase,
  type DraftPlace,
} from './draft-storage.ts';
import { beginDraft, reduceDraft, type DraftAction, type ReadDashboard } from './draft-state.ts';

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
  /** Whether another tab has kept an edit of the same dashboard since this one began: one alone is kept. */
  readonly isInOtherTab: boolean;
  readonly dispatch: (action: DraftAction) => void;
}

export function useDraft(place: DraftPlace, read: ReadDashboard): Draft {
  const { userId, dashboardId } = place;
  const [found] = useState(() => findDraft(localStorage, place));
  const kept = found !== undefined && !isSameContent(found.present, found.base.content) ? found : undefined;
  const [state, dispatch] = useReducer(reduceDraft, undefined, () => beginDraft(read, kept));
  const [isKept, setIsKept] = useState(true);
  const own = useRef(kept);
  const { base, history } = state;
  const { past, present, future } = history;
  const isDirty = !isSameContent(present, base.content);

  useEffect(() => {
    const place = { userId, dashboardId };
    if (!isDirty) {
      if (own.current !== undefined) dropOwnDraft(localStorage, place, own.current);
      return;
    }
    own.current = { keptAt: new Date().toISOString(), base, present };
    setIsKept(keepDraft(localStorage, place, own.current));
  }, [userId, dashboardId, base, present, isDirty]);

  const [isInOtherTab, setIsInOtherTab] = useState(false);
  useEffect(() => {
    const name = draftName({ userId, dashboardId });
    const hear = ({ key, newValue }: StorageEvent) => {
      if (key === name && newValue !== null) setIsInOtherTab(true);
    };
    window.addEventListener('storage', hear);
    return () => window.removeEventListener('storage', hear);
  }, [userId, dashboardId]);

  return {
    base,
    present,
    isDirty,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    continuedFrom: kept?.keptAt,
    isKept,
    isInOtherTab,
    dispatch,
  };
}
