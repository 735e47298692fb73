import type { Dashboard } from '#contract/dashboards/dashboards.ts';
import { contentOf, type DraftContent } from './content.ts';
import type { DraftBase, KeptDraft } from './storage.ts';
import { beginHistory, reduceHistory, type EditAction, type EditHistory } from './undo-history.ts';
import { carryOver, idsOf, savedContent } from './saved-edit.ts';

/** An edit: what it began with, and all its steps. */
export interface DraftState {
  readonly base: DraftBase;
  readonly history: EditHistory;
}

/** A dashboard with its version, as it is read. */
export interface ReadDashboard {
  readonly dashboard: Dashboard;
  readonly etag: string;
}

/** What was sent to be saved, what the edit was at that moment, and what came back. */
export interface SavedEdit {
  readonly type: 'saved';
  readonly sent: DraftContent;
  readonly presentThen: DraftContent;
  readonly saved: Dashboard;
  readonly etag: string;
  readonly isMerged: boolean;
}

export type DraftAction = EditAction | SavedEdit;

/** Goes on with the draft that is kept on this machine, or else begins with what was read. */
export const beginDraft = ({ dashboard, etag }: ReadDashboard, kept: KeptDraft | undefined): DraftState =>
  kept === undefined
    ? { base: { etag, content: contentOf(dashboard) }, history: beginHistory(contentOf(dashboard)) }
    : {
        base: kept.base,
        // What it was before is a step back, after a night and a new sign-in, too.
        history: { ...beginHistory(kept.present), past: [kept.base.content] },
      };

export function reduceDraft(state: DraftState, action: DraftAction): DraftState {
  if (action.type === 'saved') return afterSave(state, action);
  const history = reduceHistory(state.history, action);
  return history === state.history ? state : { ...state, history };
}

function afterSave({ history }: DraftState, action: SavedEdit): DraftState {
  const { sent, presentThen, saved, etag, isMerged } = action;
  const content = savedContent(sent, saved, isMerged);
  const base = { etag, content };
  if (!isMerged) return { base, history: reduceHistory(history, { type: 'identify', ids: idsOf(content) }) };
  // To undo past this would undo what others did.
  return { base, history: beginHistory(carryOver(presentThen, history.present, content)) };
}
