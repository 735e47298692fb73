import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiProblem, callForAnswer } from '../../../app/api.ts';
import { notifyDone } from '../../../ui/notify.ts';
import type { EditConflict } from '../conflict/choices.ts';
import { dashboardQuery } from '../../dashboard-queries.ts';
import { editOf, type DraftContent } from './content.ts';
import type { Draft } from './use-draft.ts';

/** What is saved, and the version that it changes. */
interface Save {
  readonly content: DraftContent;
  readonly etag: string;
}

export interface Saving {
  /** Saves the draft, or what is given in its place; resolves with whether that was done. */
  readonly save: (instead?: Save) => Promise<boolean>;
  readonly isSaving: boolean;
  /** Why the last save was refused, or did not arrive; the draft is as it was. */
  readonly error: Error | null;
  /** What others changed as well, and has to be decided. */
  readonly conflict: EditConflict | undefined;
  readonly dismiss: () => void;
}

/** Saves a draft; `others` says whose edits came in meanwhile. */
export function useSaving(dashboardId: string, draft: Draft, others: string): Saving {
  const client = useQueryClient();
  const mutation = useMutation({
    mutationFn: async ({ content, etag }: Save) =>
      callForAnswer('PUT /api/dashboards/{dashboardId}', {
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
      draft.dispatch({
        type: 'saved',
        sent: sending.content,
        presentThen: present,
        saved: body,
        etag,
        isMerged: isMerged || instead !== undefined,
      });
      client.setQueryData(dashboardQuery(dashboardId).queryKey, { dashboard: body, etag });
      void client.invalidateQueries({
        queryKey: ['dashboards'],
        predicate: ({ queryKey }) => queryKey[1] !== dashboardId || queryKey.length > 2,
      });
      notifyDone(isMerged ? `Saved, and merged with what ${others} saved meanwhile.` : 'Saved.');
      return true;
    } catch {
      // The mutation tells of it.
      return false;
    }
  };
  const { error } = mutation;
  const isConflict = error instanceof ApiProblem && error.code === 'edit_conflict';
  return {
    save,
    isSaving: mutation.isPending,
    error: isConflict ? null : error,
    // Sound because the contract says what a problem of this code has beside the members of every problem.
    conflict: isConflict ? (error.problem as unknown as EditConflict) : undefined,
    dismiss: mutation.reset,
  };
}
