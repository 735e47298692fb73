import type { DisplayedWidget } from '#contract/dashboards/display.ts';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import { contentKindOf, contentOf, isOnGrid, type Content } from '#shared/content-widgets/content-widgets.ts';
import { targetIn } from '#shared/dashboard-filters/bindings.ts';
import {
  filtersOfWidgets,
  filterWidgetId,
  type FilterDefinition,
} from '#shared/dashboard-filters/definitions.ts';
import { isContainer, structureOf, tabWidgetId, type Section, type Tab } from '#shared/sections/structure.ts';

/**
 * Returns the widgets of a dashboard as a display gets them: only what its page shows. A config may have anything, so each member is
 * read by the rules of its kind and written again; whatever else is in it stays on the server, and so do the IDs of reports, tabs
 * and sections without widgets, annotations, and where filters get the values to choose from. A widget that is withheld has only
 * its place.
 */
export function toDisplayed(
  widgets: readonly Widget[],
  isWithheld: (widget: Widget) => boolean,
): DisplayedWidget[] {
  const structure = structureOf(widgets.filter((widget) => isContainer(widget) || isOnGrid(widget)));
  const { filters } = filtersOfWidgets(widgets);
  const onGrid = (parent: string, own: readonly Widget[]): DisplayedWidget[] =>
    own.map((widget) => displayed(widget, parent, isWithheld(widget), filters));
  const sectionsIn = (parent: string, sections: readonly Section<Widget>[]): DisplayedWidget[] =>
    sections
      .filter((section) => section.widgets.length > 0)
      .flatMap((section) => [container(section, parent), ...onGrid(section.key, section.widgets)]);
  const tabs = structure.tabs.map((tab) => ({
    tab,
    within: [...onGrid(tab.key, tab.widgets), ...sectionsIn(tab.key, tab.sections)],
  }));
  return [
    ...onGrid('', structure.widgets),
    ...sectionsIn('', structure.sections),
    ...tabs.flatMap(({ tab, within }) => (within.length === 0 ? [] : [container(tab, ''), ...within])),
    ...(filters.length === 0 ? [] : [displayedFilters(widgets, filters)]),
  ];
}

const placeIn = (parent: string): { readonly parent?: string } => (parent === '' ? {} : { parent });

const container = (
  { key, title, widget }: Section<Widget> | Tab<Widget>,
  parent: string,
): DisplayedWidget => ({
  id: widget.id,
  builtIn: widget.reportId === tabWidgetId ? 'builtin:tab' : 'builtin:section',
  layout: widget.layout,
  config: { key, title, ...placeIn(parent) },
});

function displayed(
  widget: Widget,
  parent: string,
  isWithheld: boolean,
  filters: readonly FilterDefinition[],
): DisplayedWidget {
  const { id, layout, config } = widget;
  const kind = contentKindOf(widget);
  if (kind !== undefined) {
    const own = toConfig(contentOf(widget));
    return { id, builtIn: `builtin:${kind}`, layout, config: { ...own, ...placeIn(parent) } };
  }
  if (isWithheld) return { id, layout, config: placeIn(parent) };
  const { title } = config;
  const targets = filters.flatMap(({ name }) => {
    const target = targetIn(config, name);
    return target === undefined ? [] : [[name, target] as const];
  });
  return {
    id,
    layout,
    config: {
      ...(typeof title === 'string' && { title }),
      ...(targets.length > 0 && { filters: Object.fromEntries(targets) }),
      ...placeIn(parent),
    },
  };
}

/** Returns the config from which the content of a widget is read; what has no content shows nothing. */
function toConfig(content: Content | undefined): object {
  if (content === undefined) return {};
  const members = withoutKind(content);
  if (!('source' in members)) return members;
  const { source, ...others } = members;
  return { ...others, image: 'id' in source ? source.id : `{{${source.reference.source}}}` };
}

const withoutKind = ({ kind: _kind, ...members }: Content) => members;

/** All filters of a dashboard, as the labels and defaults that texts and messages of its widgets show. */
const displayedFilters = (
  widgets: readonly Widget[],
  filters: readonly FilterDefinition[],
): DisplayedWidget => ({
  // Sound because the filters are in such a widget.
  ...(({ id, layout }) => ({ id, layout }))(
    widgets.find(({ reportId }) => reportId === filterWidgetId) as Widget,
  ),
  builtIn: filterWidgetId,
  config: {
    filters: filters.map(({ values: _values, dependsOn: _dependsOn, ...definition }) => definition),
  },
});
