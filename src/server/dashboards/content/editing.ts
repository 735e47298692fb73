import type { DashboardEdit, DashboardPatch } from '#contract/dashboards/dashboards.ts';
import type { MergeConflict } from '#contract/history.ts';
import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { editContent, type ExpectedVersion } from '../../records/edit.ts';
import type { Database } from '../../storage/database.ts';
import { requireDashboardToChange } from '../access/access.ts';
import { editedWidgets, type DashboardContent } from './content.ts';
import type { StoredDashboard } from '../store.ts';
import { currentOf, dashboardHistory, storeVersion } from '../history/versions.ts';

export type EditOutcome =
  | { readonly kind: 'stored'; readonly dashboard: StoredDashboard; readonly isMerged: boolean }
  | {
      readonly kind: 'conflict';
      readonly dashboard: StoredDashboard;
      /** Its new widgets have no id yet. */
      readonly merged: object;
      readonly conflicts: MergeConflict[];
    };

interface Edit {
  readonly id: string;
  readonly expected: ExpectedVersion;
  /** The request as it came, to know it again. */
  readonly body: DashboardEdit | DashboardPatch;
  /** Makes the edited content; `known` is what the edit may name beside `base`. */
  readonly draft: (base: DashboardContent, known: DashboardContent) => DashboardContent;
}

/** Replaces what people edit of a dashboard, merged with what others saved since. Throws `unknown_version`. */
export function replaceDashboard(
  database: Database,
  clock: Clock,
  actor: Actor,
  input: { id: string; expected: ExpectedVersion; edit: DashboardEdit },
): Promise<EditOutcome> {
  const { id, expected, edit } = input;
  return save(database, clock, actor, {
    id,
    expected,
    body: edit,
    draft: (base, known) => ({
      name: edit.name,
      ...(edit.description !== undefined && { description: edit.description }),
      widgets: editedWidgets(edit.widgets, byId([...known.widgets, ...base.widgets])),
    }),
  });
}

/** Changes the name or the description of a dashboard, by a JSON merge patch (RFC 7396). Throws `unknown_version`. */
export function updateDashboard(
  database: Database,
  clock: Clock,
  actor: Actor,
  input: { id: string; expected: ExpectedVersion; patch: DashboardPatch },
): Promise<EditOutcome> {
  const { id, expected, patch } = input;
  return save(database, clock, actor, {
    id,
    expected,
    body: patch,
    draft: ({ name, description: before, widgets }) => {
      const description = patch.description === undefined ? before : (patch.description ?? undefined);
      return { name: patch.name ?? name, ...(description !== undefined && { description }), widgets };
    },
  });
}

function save(database: Database, clock: Clock, actor: Actor, edit: Edit): Promise<EditOutcome> {
  return database.write(async (transaction) => {
    const stored = await requireDashboardToChange(transaction, actor, edit.id, 'edit');
    const current = currentOf(stored);
    const edited = await editContent(transaction, dashboardHistory, current, {
      userId: actor.userId,
      expected: edit.expected,
      body: edit.body,
      draft: (base) => edit.draft(base, current.content),
    });
    switch (edited.kind) {
      case 'unchanged':
        return { kind: 'stored', dashboard: stored, isMerged: edited.isMerged };
      case 'conflict': {
        const known = byId([...edited.base.widgets, ...current.content.widgets]);
        const merged = withoutNewIds(edited.merged, known);
        return { kind: 'conflict', dashboard: stored, merged, conflicts: edited.conflicts };
      }
      case 'changed': {
        const { content, isMerged, saveHash } = edited;
        const made = {
          summary: { ...stored.summary, updatedAt: timestamp(clock()) },
          content,
          updatedBy: actor.userId,
          change: isMerged ? 'merged' : 'saved',
          restoredFrom: undefined,
          saveHash,
        } as const;
        const dashboard = await storeVersion(transaction, stored, made, current);
        return { kind: 'stored', dashboard, isMerged };
      }
    }
  });
}

const byId = <Item extends { readonly id: string }>(items: readonly Item[]): Map<string, Item> =>
  new Map(items.map((item) => [item.id, item]));

/** What nothing is stored of has no id: the client sends it as new, when the conflicts are solved. */
function withoutNewIds(content: DashboardContent, known: ReadonlyMap<string, unknown>): object {
  return {
    ...content,
    widgets: content.widgets.map(({ id, ...widget }) => (known.has(id) ? { id, ...widget } : widget)),
  };
}
