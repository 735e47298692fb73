import { useMutation, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { StoredModel, TableModel } from '#contract/models.ts';
import { t } from '#shared/language/messages.ts';
import type { TableReference } from '#shared/models.ts';
import { ApiProblem, call } from '../app/api.ts';
import type { Choices } from '../drafts/conflict/conflict.ts';
import { beginHistory } from '../drafts/undo-history.ts';
import type { Draft } from '../drafts/use-draft.ts';
import { notifyDone } from '../ui/notifications/notify.ts';
import { contentOf, modelDrafts, type ModelContent } from './draft.ts';
import { mergeModels, type MergedModel } from './merge.ts';

interface Sent {
  readonly base: ModelContent;
  readonly etag: string;
  readonly content: ModelContent;
}

/** What somebody else has saved, and both edits merged. */
interface Conflict {
  readonly current: StoredModel;
  readonly merged: MergedModel;
}

/** Saving the description of a table. */
interface SavingModel {
  readonly save: () => void;
  readonly isSaving: boolean;
  readonly error: Error | null;
  /** What the author has to choose before it can be saved. */
  readonly conflict: MergedModel | undefined;
  readonly resolve: (choices: Choices) => void;
}

/**
 * Saves the description of a table. If somebody else has saved in the meantime, both are merged: only where both changed the
 * same part, the author has to choose.
 */
export function useSaveModel(
  client: QueryClient,
  source: { readonly id: string },
  { schema, name }: TableReference,
  { base, present, dispatch }: Draft<ModelContent>,
): SavingModel {
  const [conflict, setConflict] = useState<Conflict>();
  const mutation = useMutation({
    mutationFn: async ({ base, etag, content }: Sent) => {
      // Sound because the types differ only in being readonly.
      const body = { schema, name, ...contentOf(content) } as TableModel;
      const send = (version: string, model: TableModel) =>
        call('PUT /api/data-sources/{dataSourceId}/models', {
          params: { dataSourceId: source.id },
          headers: { 'if-match': version },
          body: model,
        });
      try {
        return { saved: await send(etag, body) };
      } catch (error) {
        const current = currentIn(error);
        if (current === undefined) throw error;
        const merged = mergeModels(base, content, contentOf(current));
        if (merged.conflicts.length > 0) return { conflict: { current, merged } };
        // Sound as above.
        const both = { schema, name, ...merged.apply(new Map()) } as TableModel;
        return { saved: await send(etagOf(current), both), isMerged: true };
      }
    },
    onSuccess: async ({ saved, conflict: found, isMerged = false }, sent) => {
      setConflict(found);
      if (saved === undefined) return;
      const content = contentOf(saved);
      dispatch({
        type: 'saved',
        base: { etag: etagOf(saved), content },
        // What was typed while it was being saved remains.
        rebase: (history) =>
          modelDrafts.isSame(history.present, sent.content) ? beginHistory(content) : history,
      });
      notifyDone(
        isMerged
          ? t('Saved, together with what somebody else changed in the meantime.')
          : t('Saved the description.'),
      );
      await client.invalidateQueries({ queryKey: ['data-sources', source.id, 'models'] });
    },
  });
  return {
    save: () => mutation.mutate({ base: base.content, etag: base.etag, content: present }),
    isSaving: mutation.isPending,
    error: mutation.error,
    conflict: conflict?.merged,
    resolve(choices: Choices) {
      if (conflict === undefined) return;
      const { current, merged } = conflict;
      const theirs = contentOf(current);
      const content = merged.apply(choices);
      const etag = etagOf(current);
      dispatch({
        type: 'saved',
        base: { etag, content: theirs },
        rebase: () => ({ ...beginHistory(content), past: [theirs] }),
      });
      mutation.mutate({ base: theirs, etag, content });
    },
  };
}

const etagOf = ({ version }: Pick<StoredModel, 'version'>): string => `"${version}"`;

const currentIn = (error: unknown): StoredModel | undefined =>
  error instanceof ApiProblem && error.code === 'edit_conflict'
    ? // Sound because the contract defines this member for problems with this code.
      (error.problem as unknown as { readonly current: StoredModel }).current
    : undefined;
