import { createHash } from 'node:crypto';
import type { DashboardEdit, DashboardPatch, MergeConflict } from '#contract/dashboards.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import type { Database, Reader } from '../storage/database.ts';
import { requireDashboardToChange } from './dashboard-access.ts';
import { editedWidgets, isSameContent, type DashboardContent } from './dashboard-content.ts';
import { mergeContents } from './dashboard-merge.ts';
import type { StoredDashboard } from './dashboard-store.ts';
import { hasVersionOfSave } from './dashboard-version-store.ts';
import { contentOf, findContent, storeVersion } from './dashboard-versions.ts';

/** The versions that an edit may begin with (`If-Match`, RFC 9110, section 13.1.1); `any` overwrites on purpose. */
export type ExpectedVersion = readonly number[] | 'any';

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
    const current = await requireDashboardToChange(transaction, actor, edit.id, 'edit');
    const theirs = contentOf(current);
    const version = chooseVersion(edit.expected, current.version);
    const base = await requireContent(transaction, current, theirs, version);
    const isStale = version !== current.version;
    const saveHash = hashOf(version, edit.body);
    const mine = edit.draft(base, theirs);
    if (isStale && (await isSavedAlready(transaction, current, actor, version, saveHash))) {
      return { kind: 'stored', dashboard: current, isMerged: current.saveHash !== saveHash };
    }
    const { merged, conflicts } = isStale
      ? mergeContents(base, mine, theirs)
      : { merged: mine, conflicts: [] };
    if (conflicts.length > 0) {
      const known = byId([...base.widgets, ...theirs.widgets]);
      return { kind: 'conflict', dashboard: current, merged: withoutNewIds(merged, known), conflicts };
    }
    if (isSameContent(merged, theirs)) return { kind: 'stored', dashboard: current, isMerged: isStale };
    const dashboard = await storeVersion(transaction, current, {
      summary: { ...current.summary, updatedAt: timestamp(clock()) },
      content: merged,
      updatedBy: actor.userId,
      change: isStale ? 'merged' : 'saved',
      restoredFrom: undefined,
      saveHash,
    });
    return { kind: 'stored', dashboard, isMerged: isStale };
  });
}

/** Returns the version that an edit began with: the one in force, if it may be that, or else the newest before it. */
function chooseVersion(expected: ExpectedVersion, current: number): number {
  if (expected === 'any' || expected.includes(current)) return current;
  const version = Math.max(...expected.filter((one) => one < current));
  if (version < 1) throw unknownVersion(current);
  return version;
}

export const unknownVersion = (current: number): AtriumError =>
  new AtriumError(
    'unknown_version',
    `\`If-Match\` names no version of this dashboard; the one in force is "${current}".`,
  );

async function requireContent(
  reader: Reader,
  current: StoredDashboard,
  theirs: DashboardContent,
  version: number,
): Promise<DashboardContent> {
  if (version === current.version) return theirs;
  const content = await findContent(reader, current, version);
  if (content === undefined) throw unknownVersion(current.version);
  return content;
}

/** A client that never got the answer sends its edit again: what the edit added must not come twice. */
async function isSavedAlready(
  reader: Reader,
  current: StoredDashboard,
  actor: Actor,
  version: number,
  saveHash: string,
): Promise<boolean> {
  if (current.updatedBy === actor.userId && current.saveHash === saveHash) return true;
  return hasVersionOfSave(reader, {
    dashboardId: current.summary.id,
    from: version,
    userId: actor.userId,
    saveHash,
  });
}

const hashOf = (version: number, body: object): string =>
  createHash('sha256')
    .update(`${version} ${JSON.stringify(body)}`)
    .digest('base64url')
    .slice(0, 22);

const byId = <Item extends { readonly id: string }>(items: readonly Item[]): Map<string, Item> =>
  new Map(items.map((item) => [item.id, item]));

/** What nothing is stored of has no id: the client sends it as new, when the conflicts are solved. */
function withoutNewIds(content: DashboardContent, known: ReadonlyMap<string, unknown>): object {
  return {
    ...content,
    widgets: content.widgets.map(({ id, ...widget }) => (known.has(id) ? { id, ...widget } : widget)),
  };
}
