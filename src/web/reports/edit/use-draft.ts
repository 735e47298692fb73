import { useEffect, useState } from 'react';
import {
  isSameContent,
  keepDraft,
  readDraft,
  withPart,
  type DraftBase,
  type ReportContent,
  type ReportDraft,
} from './draft.ts';

export interface EditedReport {
  readonly content: ReportContent;
  /** The version that the edit began with; undefined for a report that was never saved. */
  readonly base: DraftBase | undefined;
  readonly isChanged: boolean;
  /** Whether this machine had room to keep it. */
  readonly isKept: boolean;
  /** When the draft was kept that the edit goes on with; undefined when it began here. */
  readonly continuedFrom: string | undefined;
  change(part: Partial<ReportContent>): void;
  /** Goes back to what is stored. */
  discard(): void;
}

/**
 * The edit of a report. It is kept on this machine with each change, so that it survives a closed tab and a session that
 * has ended, and goes on from there.
 */
export function useReportDraft(
  key: string,
  stored: DraftBase | undefined,
  empty: ReportContent,
): EditedReport {
  const [kept] = useState(() => usableDraft(readDraft(localStorage, key), stored));
  const [content, setContent] = useState(kept?.content ?? stored?.content ?? empty);
  const [continuedFrom, setContinuedFrom] = useState(kept?.at);
  // What others save meanwhile is read anew; an edit stays one of the version that it began with, or it would undo theirs.
  const [base, setBase] = useState(kept?.base ?? stored);
  const [isKept, setIsKept] = useState(true);
  const isChanged = !isSameContent(content, base?.content ?? empty);

  useEffect(() => {
    if (isChanged) {
      const draft = { content, ...(base && { base }), at: new Date().toISOString() };
      setIsKept(keepDraft(localStorage, key, draft));
    } else {
      localStorage.removeItem(key);
    }
  }, [key, content, base, isChanged]);

  return {
    content,
    base,
    isChanged,
    isKept,
    continuedFrom,
    change: (part) => setContent((before) => withPart(before, part)),
    discard() {
      setContinuedFrom(undefined);
      setBase(stored);
      setContent(stored?.content ?? empty);
    },
  };
}

/** A draft that says what is stored by now is done with. */
const usableDraft = (
  draft: ReportDraft | undefined,
  stored: DraftBase | undefined,
): ReportDraft | undefined =>
  draft !== undefined && stored !== undefined && isSameContent(draft.content, stored.content)
    ? undefined
    : draft;
