import { findKept, keepJson } from '../../../ui/browser/stored-json.ts';
import type { DraftContent, DraftWidget } from './content.ts';

/** What an edit began with: a version of the dashboard, and what was in it. */
export interface DraftBase {
  readonly etag: string;
  readonly content: DraftContent;
}

/** An edit that is not saved, as it is kept on this machine. */
export interface KeptDraft {
  readonly keptAt: string;
  readonly base: DraftBase;
  readonly present: DraftContent;
}

/** Whose draft it is, and of which dashboard: people who share a machine do not meet each other's. */
export interface DraftPlace {
  readonly userId: string;
  readonly dashboardId: string;
}

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The name under which a draft is kept. */
export const draftName = ({ userId, dashboardId }: DraftPlace): string =>
  `atrium:draft:${userId}:${dashboardId}`;

/** Keeps a draft in the place of the one before. Returns whether there was room for it. */
export const keepDraft = (storage: Kept, place: DraftPlace, draft: KeptDraft): boolean =>
  keepJson(storage, draftName(place), draft);

/** Returns the draft that is kept, or undefined when there is none that can be read. */
export const findDraft = (storage: Kept, place: DraftPlace): KeptDraft | undefined =>
  findKept(storage, draftName(place), (draft) => (isDraft(draft) ? draft : undefined));

export const dropDraft = (storage: Kept, place: DraftPlace): void => storage.removeItem(draftName(place));

/** What another version of the application kept may have another form. */
const isDraft = (draft: unknown): draft is KeptDraft =>
  hasMembers(draft, { keptAt: isText, base: isBase, present: isContent });

const isBase = (base: unknown): boolean => hasMembers(base, { etag: isText, content: isContent });

const isContent = (content: unknown): boolean =>
  hasMembers(content, { name: isText, description: isText, widgets: isListOfWidgets });

const isListOfWidgets = (widgets: unknown): widgets is readonly DraftWidget[] =>
  Array.isArray(widgets) &&
  widgets.every((widget) =>
    hasMembers(widget, { key: isText, reportId: isText, layout: isLayout, config: isObject }),
  );

const isLayout = (layout: unknown): boolean =>
  hasMembers(layout, { x: Number.isInteger, y: Number.isInteger, w: Number.isInteger, h: Number.isInteger });

const isText = (value: unknown): boolean => typeof value === 'string';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const hasMembers = (
  value: unknown,
  members: Readonly<Record<string, (member: unknown) => boolean>>,
): boolean => isObject(value) && Object.entries(members).every(([name, fits]) => fits(value[name]));
