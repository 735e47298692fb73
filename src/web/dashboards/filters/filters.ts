import type { ShownParameter, WidgetResult } from '#contract/dashboards/results.ts';
import type { ParameterValue } from '#contract/reports/reports.ts';
import { parameterValue } from '#shared/parameter-values.ts';
import { givenIn, type Search, type SearchValue } from '../../ui/browser/search.ts';
import type { IsPicked, Picked } from '../../visualizations/marks/mark.ts';

/** A filter of a dashboard: a parameter, and the report that its allowed values are requested from. */
export interface DashboardFilter extends ShownParameter {
  readonly reportId: string;
}

/**
 * Returns the filters of a dashboard: the parameters of its reports, one for each name. If reports define a parameter
 * differently, the first definition applies, or the first one of the same type that has allowed values.
 */
export function filtersOfLines(lines: readonly WidgetResult[]): DashboardFilter[] {
  const byName = new Map<string, DashboardFilter>();
  for (const { reportId, parameters = [] } of lines) {
    for (const parameter of parameters) {
      const known = byName.get(parameter.name);
      if (known === undefined || (parameter.hasAllowed && !known.hasAllowed && parameter.type === known.type))
        byName.set(parameter.name, { ...parameter, reportId });
    }
  }
  return [...byName.values()];
}

/** Returns the columns whose values can be picked as a filter: those with the name of one, ignoring case. */
export function pickableFields(
  columns: readonly { readonly name: string }[],
  filters: readonly DashboardFilter[],
): ReadonlySet<string> {
  const names = new Set(filters.map(({ name }) => name.toLowerCase()));
  return new Set(columns.map(({ name }) => name).filter((name) => names.has(name.toLowerCase())));
}

/** Returns the filters that change when values are picked: each is set, or cleared if it already has that value. */
export function withPicked(
  search: Search,
  picked: readonly Picked[],
  filters: readonly DashboardFilter[],
): Search {
  const changed = new Map<string, SearchValue>();
  for (const { field, value } of picked) {
    const filter = filterOf(field, filters);
    if (filter === undefined || value === null || value === undefined) continue;
    const text = asFilter(value, filter);
    const given = givenIn(search, filter.name);
    const next = filter.type === 'list' ? toggled(listOf(given), text) : given === text ? undefined : text;
    changed.set(filter.name, next);
  }
  return Object.fromEntries(changed);
}

/** Returns whether values are chosen by the filters. */
export const isPickedBy =
  (search: Search, filters: readonly DashboardFilter[]): IsPicked =>
  (field, value) => {
    const filter = filterOf(field, filters);
    const given = filter && givenIn(search, filter.name);
    if (filter === undefined || given === undefined) return undefined;
    return listOf(given).includes(asFilter(value, filter));
  };

const filterOf = (field: string, filters: readonly DashboardFilter[]): DashboardFilter | undefined =>
  filters.find(({ name }) => name.toLowerCase() === field.toLowerCase());

/** Returns the value of a filter as a list. */
export const listOf = (value: SearchValue): readonly string[] =>
  typeof value === 'string' ? [value] : (value ?? []);

/** Returns the value of a filter as one text: the last value of a list. */
export const textOf = (value: SearchValue): string =>
  typeof value === 'string' ? value : (value?.at(-1) ?? '');

function toggled(values: readonly string[], text: string): readonly string[] | undefined {
  const rest = values.includes(text) ? values.filter((value) => value !== text) : [...values, text];
  return rest.length === 0 ? undefined : rest;
}

function asFilter(value: unknown, { type }: DashboardFilter): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return type === 'date' && /^\d{4}-\d{2}-\d{2}T/.test(text) ? text.slice(0, 10) : text;
}

/** Returns the filter values of a report's parameters, converted to their types if possible; unset parameters are left out. */
export function parameterValues(
  parameters: readonly ShownParameter[],
  search: Search,
): Record<string, ParameterValue> {
  return Object.fromEntries(
    parameters.flatMap(({ name, type }) => {
      const value = givenIn(search, name);
      return value === undefined ? [] : [[name, parameterValue(type, value)]];
    }),
  );
}
