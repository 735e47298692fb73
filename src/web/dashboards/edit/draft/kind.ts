import type { WidgetLayout } from '#contract/dashboards/dashboards.ts';
import type { DraftKind } from '../../../drafts/storage.ts';
import type { Draft } from '../../../drafts/use-draft.ts';
import { isSameContent, type DraftContent } from './content.ts';

export type DashboardDraft = Draft<DraftContent>;

export const dashboardDrafts: DraftKind<DraftContent> = {
  kind: 'dashboard',
  isSame: isSameContent,
  isBlank: () => false,
  isContent: (value): value is DraftContent =>
    hasMembers(value, { name: isText, description: isText, widgets: isListOfWidgets }),
};

const isListOfWidgets = (widgets: unknown): boolean =>
  Array.isArray(widgets) &&
  widgets.every((widget) =>
    hasMembers(widget, { key: isText, reportId: isText, layout: isLayout, config: isObject }),
  );

export const isLayout = (layout: unknown): layout is WidgetLayout =>
  hasMembers(layout, { x: Number.isInteger, y: Number.isInteger, w: Number.isInteger, h: Number.isInteger });

const isText = (value: unknown): boolean => typeof value === 'string';

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const hasMembers = (
  value: unknown,
  members: Readonly<Record<string, (member: unknown) => boolean>>,
): boolean => isObject(value) && Object.entries(members).every(([name, fits]) => fits(value[name]));
