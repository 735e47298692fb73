import type { WidgetResult } from '#contract/dashboards/results.ts';
import { endsOf, isRange, type WidgetTarget } from '#shared/dashboard-filters/bindings.ts';
import {
  filtersOfWidgets,
  filterWidgetId,
  objectIn,
  type DashboardFilters,
  type FilterDefinition,
} from '#shared/dashboard-filters/definitions.ts';
import { t } from '#shared/language/messages.ts';
import type { ParameterType } from '#shared/parameter-values.ts';
import type { DraftContent, DraftWidget } from '../draft/content.ts';

/** A widget of the edit that shows a report. */
export interface FilteredWidget {
  readonly key: string;
  readonly title: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly line: WidgetResult | undefined;
}

/** Sets the filters of a dashboard. They are in one widget, which is added with the first filter, and removed with the last. */
export function withFilters(content: DraftContent, key: string, filters: DashboardFilters): DraftContent {
  const isOfFilters = ({ reportId }: DraftWidget) => reportId === filterWidgetId;
  const known = content.widgets.find(isOfFilters);
  const others = content.widgets.filter((widget) => !isOfFilters(widget));
  if (filters.filters.length === 0) return { ...content, widgets: others };
  const config = {
    filters: filters.filters,
    ...(filters.appliesTogether && { appliesTogether: true }),
  };
  const layout = { x: 0, y: 0, w: 0, h: 0 };
  const widget = known ?? { key, reportId: filterWidgetId, layout, config };
  return { ...content, widgets: [...others, { ...widget, config }] };
}

/** What the parameters of widgets a filter sets, by the keys of the widgets; undefined is the parameter with its name. */
export type Targets = ReadonlyMap<string, WidgetTarget | undefined>;

/** Adds a filter, or replaces the one with the name `before`, and sets what it applies to. */
export function withFilter(
  content: DraftContent,
  key: string,
  { before, filter, targets }: { before: string | undefined; filter: FilterDefinition; targets: Targets },
): DraftContent {
  const { filters, appliesTogether } = filtersOfWidgets(content.widgets);
  const renamed = (name: string) => (name === before ? filter.name : name);
  const next =
    before === undefined
      ? [...filters, filter]
      : filters.map((each) => {
          if (each.name === before) return filter;
          return each.dependsOn === undefined ? each : { ...each, dependsOn: each.dependsOn.map(renamed) };
        });
  const withoutOld = withoutTargets(withoutTargets(content, before ?? filter.name), filter.name);
  const widgets = withoutOld.widgets.map((widget) => {
    const target = targets.get(widget.key);
    return target === undefined
      ? widget
      : withTargets(widget, { ...objectIn(widget.config['filters']), [filter.name]: target });
  });
  return withFilters({ ...withoutOld, widgets }, key, { filters: next, appliesTogether });
}

export function withoutFilter(content: DraftContent, name: string): DraftContent {
  const { filters, appliesTogether } = filtersOfWidgets(content.widgets);
  const rest = filters
    .filter((each) => each.name !== name)
    .map(({ dependsOn = [], ...each }) => {
      const others = dependsOn.filter((other) => other !== name);
      return others.length === 0 ? each : { ...each, dependsOn: others };
    });
  return withFilters(withoutTargets(content, name), '', { filters: rest, appliesTogether });
}

/** Swaps a filter with the one before or after it. */
export function withMovedFilter(content: DraftContent, name: string, step: -1 | 1): DraftContent {
  const { filters, appliesTogether } = filtersOfWidgets(content.widgets);
  const index = filters.findIndex((each) => each.name === name);
  const [moved, other] = [filters[index], filters[index + step]];
  if (moved === undefined || other === undefined) return content;
  const next = filters.map((each) => (each === moved ? other : each === other ? moved : each));
  return withFilters(content, '', { filters: next, appliesTogether });
}

const withoutTargets = (content: DraftContent, filter: string): DraftContent => ({
  ...content,
  widgets: content.widgets.map((widget) => {
    const targets = objectIn(widget.config['filters']);
    if (targets === undefined || !Object.hasOwn(targets, filter)) return widget;
    return withTargets(
      widget,
      Object.fromEntries(Object.entries(targets).filter(([name]) => name !== filter)),
    );
  }),
});

function withTargets(widget: DraftWidget, targets: Readonly<Record<string, unknown>>): DraftWidget {
  const others = Object.entries(widget.config).filter(([name]) => name !== 'filters');
  const isEmpty = Object.keys(targets).length === 0;
  return { ...widget, config: Object.fromEntries(isEmpty ? others : [...others, ['filters', targets]]) };
}

/** Returns filters for the parameters of reports that no filter of the dashboard has the name of. */
export function suggestedFilters(
  lines: readonly Pick<WidgetResult, 'parameters'>[],
  { filters }: Pick<DashboardFilters, 'filters'>,
): FilterDefinition[] {
  const parameters = new Map(
    lines.flatMap(({ parameters: list = [] }) =>
      list.map((parameter) => [parameter.name, parameter] as const),
    ),
  );
  const taken = new Set(
    filters.flatMap(({ name, kind }) => (isRange(kind) ? [name, ...Object.values(endsOf(name))] : [name])),
  );
  const suggested: FilterDefinition[] = [];
  for (const { name, label, type, hasAllowed } of parameters.values()) {
    if (taken.has(name)) continue;
    const start = name.endsWith('_from') ? name.slice(0, -'_from'.length) : '';
    const { to } = endsOf(start);
    if (start !== '' && parameters.get(to)?.type === type && (type === 'number' || isTemporal(type))) {
      suggested.push({ name: start, kind: type === 'number' ? 'number_range' : 'date_range' });
      taken.add(to);
      continue;
    }
    const kind = hasAllowed && type !== 'list' ? 'select' : kindOfType[type];
    suggested.push({ name, ...(label !== undefined && label !== '' && { label }), kind });
  }
  return suggested;
}

const isTemporal = (type: ParameterType): boolean => type === 'date' || type === 'datetime';

const kindOfType: Readonly<Record<ParameterType, FilterDefinition['kind']>> = {
  text: 'text',
  number: 'text',
  boolean: 'boolean',
  date: 'date',
  datetime: 'date',
  list: 'list',
};

/** Returns the targets in a widget that suit a kind of filter, each with its description. */
export function targetsFor(
  parameters: readonly { readonly name: string; readonly type: ParameterType }[],
  kind: FilterDefinition['kind'],
): { readonly target: WidgetTarget; readonly label: string }[] {
  if (!isRange(kind)) return parameters.map(({ name }) => ({ target: name, label: name }));
  const fits = ({ type }: { readonly type: ParameterType }) =>
    kind === 'number_range' ? type === 'number' : isTemporal(type);
  const names = new Set(parameters.filter(fits).map(({ name }) => name));
  const pairs = [...names].flatMap((name) => {
    const start = name.endsWith('_from') ? name.slice(0, -'_from'.length) : '';
    return start !== '' && names.has(endsOf(start).to)
      ? [{ target: start, label: t('{name} and {to}', { name, to: endsOf(start).to }) }]
      : [];
  });
  const ends = [...names].flatMap((name) => [
    { target: { from: name }, label: t('{name}: the start', { name }) },
    { target: { to: name }, label: t('{name}: the end', { name }) },
  ]);
  return [...pairs, ...ends];
}
