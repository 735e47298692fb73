import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { DashboardEdit } from '#contract/dashboards/dashboards.ts';
import { t } from '#shared/language/messages.ts';
import { callWithEtag } from '../../../app/api.ts';
import { conflictIn, type EditConflict } from '../../../drafts/conflict/conflict.ts';
import { beginHistory } from '../../../drafts/undo-history.ts';
import { notifyDone } from '../../../ui/notifications/notify.ts';
import { dashboardQuery } from '../../queries.ts';
import { editOf, type DraftContent } from './content.ts';
import type { DashboardDraft } from './kind.ts';
import { carryOver, idsOf, savedContent, withIds } from './saved-edit.ts';

/** The content to save, and the version that it is based on. */
interface Save {
  readonly content: DraftContent;
  readonly etag: string;
}

export interface Saving {
  /** Saves the draft, or the content given instead. Resolves to whether it was saved. */
  readonly save: (instead?: Save) => Promise<boolean>;
  readonly isSaving: boolean;
  /** Why the last save failed. The draft is unchanged. */
  readonly error: Error | null;
  /** The conflicts with other people's changes that you have to resolve. */
  readonly conflict: EditConflict<DashboardEdit> | undefined;
  readonly dismiss: () => void;
}

/** Returns how to save a draft. `others` names the people who saved in the meantime. */
export function useSaving(dashboardId: string, draft: DashboardDraft, others: string): Saving {
  const client = useQueryClient();
  const mutation = useMutation({
    mutationFn: async ({ content, etag }: Save) =>
      callWithEtag('PUT /api/dashboards/{dashboardId}', {
        params: { dashboardId },
        headers: { 'if-match': etag },
        body: editOf(content),
      }),
  });
  const present = draft.present;
  const save = async (instead?: Save): Promise<boolean> => {
    const sending = instead ?? { content: present, etag: draft.base.etag };
    try {
      const { body, etag, isMerged } = await mutation.mutateAsync(sending);
      const hasOthersEdits = isMerged || instead !== undefined;
      const saved = savedContent(sending.content, body, hasOthersEdits);
      draft.dispatch({
        type: 'saved',
        base: { etag, content: saved },
        rebase: (history) =>
          hasOthersEdits
            ? // Undoing past this point would undo other people's changes.
              beginHistory(carryOver(present, history.present, saved))
            : withIds(history, idsOf(saved)),
      });
      client.setQueryData(dashboardQuery(dashboardId).queryKey, { dashboard: body, etag });
      void client.invalidateQueries({
        queryKey: ['dashboards'],
        predicate: ({ queryKey }) => queryKey[1] !== dashboardId || queryKey.length > 2,
      });
      notifyDone(isMerged ? t('Saved and merged with changes by {others}.', { others }) : t('Saved.'));
      return true;
    } catch {
      // The mutation reports it.
      return false;
    }
  };
  const { error } = mutation;
  const conflict = conflictIn<DashboardEdit>(error);
  return {
    save,
    isSaving: mutation.isPending,
    error: conflict === undefined ? error : null,
    conflict,
    dismiss: mutation.reset,
  };
}
