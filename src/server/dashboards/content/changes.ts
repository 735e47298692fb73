import type { ContentChange } from '#contract/records/history.ts';
import type { Widget, WidgetLayout } from '#contract/dashboards/dashboards.ts';
import { nameOfContent } from '#shared/content-widgets/content-widgets.ts';
import { annotationWidgetId } from '#shared/annotations/annotations.ts';
import { filterWidgetId } from '#shared/dashboard-filters/definitions.ts';
import { isContainer } from '#shared/sections/structure.ts';
import {
  describeContainerConfig,
  describeNewPlace,
  nameOfContainer,
  placesIn,
  type Places,
} from './container-changes.ts';
import { widgetParts, type DashboardContent, type WidgetPart } from './content.ts';
import { describeAnnotationChanges } from './annotation-changes.ts';
import { describeFilterChanges } from './filter-changes.ts';
import { describeField, isSameJson } from '../../records/fields.ts';

/** Lists what changed from one content to another, each change as a sentence with a pointer: first the head, then each widget. */
export function describeChanges(from: DashboardContent, to: DashboardContent): ContentChange[] {
  const before = new Map(from.widgets.map((widget) => [widget.id, widget]));
  const after = new Set(to.widgets.map(({ id }) => id));
  const places = { from: placesIn(from.widgets), to: placesIn(to.widgets) };
  return [
    ...describeHead(from, to),
    ...to.widgets.flatMap((widget, index) => describeWidget(before.get(widget.id), widget, index, places)),
    ...from.widgets.flatMap((widget, index) => (after.has(widget.id) ? [] : [removed(widget, index)])),
    ...describeOrder(from.widgets, to.widgets),
  ];
}

function describeHead(from: DashboardContent, to: DashboardContent): ContentChange[] {
  const name: ContentChange = {
    kind: 'changed',
    pointer: '/name',
    summary: `Renamed from “${short(from.name)}” to “${short(to.name)}”.`,
    before: from.name,
    after: to.name,
  };
  const descriptions = [from.description, to.description] as const;
  return [
    ...(from.name === to.name ? [] : [name]),
    ...(descriptions[0] === descriptions[1]
      ? []
      : [describeField('description', 'Description', ...descriptions)]),
  ];
}

function describeWidget(
  before: Widget | undefined,
  widget: Widget,
  index: number,
  places: { readonly from: Places; readonly to: Places },
): ContentChange[] {
  const { id: widgetId } = widget;
  const pointer = `/widgets/${index}`;
  if (before === undefined) {
    const summary = describeDefinitions(widget, {}, widget.config) ?? describeAdded(widget, places.to);
    return [{ kind: 'added', pointer, summary, widgetId, after: widget }];
  }
  const newPlace = describeNewPlace(widgetId, places.from, places.to);
  return widgetParts
    .filter((part) => !isSameJson(before[part], widget[part]))
    .map((part) => ({
      kind: 'changed',
      pointer: `${pointer}/${part}`,
      summary:
        (part === 'config' ? describeDefinitions(widget, before.config, widget.config) : undefined) ??
        `${subjectOf(before)}${describePart(part, before, widget, newPlace)}.`,
      widgetId,
      before: before[part],
      after: widget[part],
    }));
}

function describeAdded(widget: Widget, { parents, names }: Places): string {
  const parent = names.get(parents.get(widget.id) ?? '');
  if (isContainer(widget)) return `${subjectOf(widget)} added${parent === undefined ? '' : ` to ${parent}`}.`;
  const grid = parent === undefined ? '' : ` of ${parent}`;
  return `${subjectOf(widget)} added at ${placeOf(widget.layout)}${grid}.`;
}

/** Names a widget at the start of a sentence. */
function subjectOf(widget: Widget): string {
  if (!isContainer(widget)) return nameOfContent(widget) ?? `Widget of report “${short(widget.reportId)}”`;
  const name = nameOfContainer(widget);
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

/** Describes a change of the filters or the annotations of a dashboard; undefined for every other widget. */
function describeDefinitions(
  { reportId }: Widget,
  before: Widget['config'],
  after: Widget['config'],
): string | undefined {
  if (reportId === filterWidgetId) return describeFilterChanges(before, after);
  return reportId === annotationWidgetId ? describeAnnotationChanges(before, after) : undefined;
}

function describePart(part: WidgetPart, before: Widget, after: Widget, newPlace: string | undefined): string {
  switch (part) {
    case 'reportId':
      return ` now shows report “${short(after.reportId)}”`;
    case 'layout':
      // Tabs and sections only have an order.
      return isContainer(after) ? ' moved' : ` ${describeMove(before.layout, after.layout)}`;
    case 'config':
      if (isContainer(before) && isContainer(after)) {
        return ` ${describeContainerConfig(before, after, newPlace)}`;
      }
      return describeConfig(before.config, after.config, newPlace);
    default:
      return `: changed “${String(part)}”`;
  }
}

function removed(widget: Widget, index: number): ContentChange {
  return {
    kind: 'removed',
    pointer: `/widgets/${index}`,
    summary:
      describeDefinitions(widget, widget.config, {}) ??
      (isContainer(widget)
        ? `${subjectOf(widget)} removed.`
        : `${subjectOf(widget)} removed from ${placeOf(widget.layout)}.`),
    widgetId: widget.id,
    before: widget,
  };
}

function describeOrder(from: readonly Widget[], to: readonly Widget[]): ContentChange[] {
  const ids = (widgets: readonly Widget[], others: readonly Widget[]) => {
    const known = new Set(others.map(({ id }) => id));
    return widgets.filter(({ id }) => known.has(id)).map(({ id }) => id);
  };
  const [before, after] = [ids(from, to), ids(to, from)];
  if (isSameJson(before, after)) return [];
  return [{ kind: 'changed', pointer: '/widgets', summary: 'Widgets reordered.', before, after }];
}

function describeMove(before: WidgetLayout, after: WidgetLayout): string {
  const moved =
    before.x !== after.x || before.y !== after.y
      ? [`moved from ${placeOf(before)} to ${placeOf(after)}`]
      : [];
  const resized =
    before.w !== after.w || before.h !== after.h
      ? [`resized from ${before.w} × ${before.h} to ${after.w} × ${after.h}`]
      : [];
  return [...moved, ...resized].join(' and ');
}

/** Names the tab or section that a widget was moved to, and up to five of the settings that differ. */
function describeConfig(
  before: Widget['config'],
  after: Widget['config'],
  newPlace: string | undefined,
): string {
  const differing = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isSameJson(before[name], after[name]),
  );
  const place = newPlace === undefined ? '' : ` ${newPlace}`;
  const names = differing.filter((name) => name !== 'filters' && (name !== 'parent' || place === ''));
  const filters = differing.includes('filters') ? 'changed which filters apply to it' : '';
  if (names.length === 0) return filters === '' ? place : `${place}: ${filters}`;
  const shown = names.slice(0, 5).map((name) => `“${short(name)}”`);
  const more = names.length - shown.length;
  const settings = `changed setting${names.length === 1 ? '' : 's'} ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `${place}: ${filters === '' ? settings : `${settings}; ${filters}`}`;
}

const placeOf = ({ x, y }: WidgetLayout): string => `column ${x + 1}, row ${y + 1}`;

const short = (text: string): string => (text.length <= 80 ? text : `${text.slice(0, 79).toWellFormed()}…`);
