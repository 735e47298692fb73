import { useEffect } from 'react';
import { notifyDone } from '../../../ui/notify.ts';
import { findDraft, type DraftPlace } from './storage.ts';

/** Tells whoever leaves an edit for another page, without having saved it, that it is not lost. */
export function useLeaving({ userId, dashboardId }: DraftPlace): void {
  useEffect(
    () => () => {
      if (findDraft(localStorage, { userId, dashboardId }) === undefined) return;
      notifyDone('Your changes are not saved yet. They are kept on this machine: Edit goes on with them.');
    },
    [userId, dashboardId],
  );
}
