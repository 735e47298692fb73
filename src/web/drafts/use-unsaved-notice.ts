import { useEffect } from 'react';
import { t } from '#shared/language/messages.ts';
import { notifyDone } from '../ui/notifications/notify.ts';
import { findDraft, type DraftKind, type DraftKey } from './storage.ts';

/** Notifies people who leave an edit without saving it that their draft is stored. */
export function useUnsavedNotice<Content>(kind: DraftKind<Content>, { userId, recordId }: DraftKey): void {
  useEffect(
    () => () => {
      if (findDraft(localStorage, kind, { userId, recordId }) === undefined) return;
      notifyDone(
        t("Your changes aren't saved yet. Your draft is saved in this browser: edit again to continue."),
      );
    },
    [kind, userId, recordId],
  );
}
