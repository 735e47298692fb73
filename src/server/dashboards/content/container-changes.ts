import type { Widget } from '#contract/dashboards/dashboards.ts';
import {
  containerTitleOf,
  keysOf,
  parentsOf,
  sectionSettingsOf,
  tabWidgetId,
  topLevel,
} from '#shared/sections/structure.ts';
import { isSameJson } from '../../records/fields.ts';

/** In which tab or section each widget of a content is, to describe changes. */
export interface Places {
  /** The key of the tab or section that a widget is in, by the ID of the widget. */
  readonly parents: ReadonlyMap<string, string>;
  /** The tabs and sections in words, by their keys. */
  readonly names: ReadonlyMap<string, string>;
}

export const placesIn = (widgets: readonly Widget[]): Places => ({
  parents: new Map([...parentsOf(widgets)].map(([{ id }, parent]) => [id, parent])),
  names: new Map([...keysOf(widgets)].map(([widget, key]) => [key, nameOfContainer(widget)])),
});

/** Names a tab or section, such as `tab “Costs”`. */
export function nameOfContainer(widget: Pick<Widget, 'reportId' | 'config'>): string {
  const kind = widget.reportId === tabWidgetId ? 'tab' : 'section';
  const title = containerTitleOf(widget);
  return title === '' ? `${kind} without a title` : `${kind} “${title.slice(0, 80).toWellFormed()}”`;
}

/** Describes that a widget or a section is now in another tab or section; undefined if it isn't. */
export function describeNewPlace(id: string, from: Places, to: Places): string | undefined {
  const [before, after] = [from.parents.get(id) ?? topLevel, to.parents.get(id) ?? topLevel];
  if (before === after) return undefined;
  const [left, entered] = [from.names.get(before), to.names.get(after)];
  if (entered === undefined) return left && `moved out of ${left}`;
  return left === undefined ? `moved to ${entered}` : `moved from ${left} to ${entered}`;
}

/** Describes the changed settings of a tab or section, as the rest of a sentence about it. */
export function describeContainerConfig(before: Widget, after: Widget, place: string | undefined): string {
  const [title, newTitle] = [containerTitleOf(before), containerTitleOf(after)];
  const [settings, newSettings] = [sectionSettingsOf(before), sectionSettingsOf(after)];
  const isSection = after.reportId !== tabWidgetId;
  const changes = [
    ...(title === newTitle
      ? []
      : [newTitle === '' ? 'no longer has a title' : `renamed to “${newTitle.slice(0, 80).toWellFormed()}”`]),
    ...(place === undefined ? [] : [place]),
    ...(!isSection || settings.isCollapsed === newSettings.isCollapsed
      ? []
      : [newSettings.isCollapsed ? 'now collapsed at first' : 'now expanded at first']),
    ...(!isSection || settings.repeatedBy === newSettings.repeatedBy
      ? []
      : [describeRepetition(newSettings.repeatedBy)]),
  ];
  if (changes.length > 0) return changes.join(', ');
  // Such as settings that a client of the API added.
  return isSameJson(before.config['key'], after.config['key']) ? 'changed' : 'now has another key';
}

const describeRepetition = (filter: string | undefined): string =>
  filter === undefined
    ? 'no longer repeated'
    : `now repeated for each value of filter “${filter.slice(0, 80).toWellFormed()}”`;
