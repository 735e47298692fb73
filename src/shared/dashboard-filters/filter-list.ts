import type { ParameterType } from '../parameter-values.ts';
import { bindingsOf, type Binding } from './bindings.ts';
import {
  labelOf,
  type DashboardFilters,
  type FilterDefinition,
  type FilterKind,
  type FilterText,
} from './definitions.ts';

/** A parameter of a report on a dashboard. */
interface ShownParameter {
  readonly name: string;
  readonly label?: string;
  readonly type: ParameterType;
  readonly default?: string | number | boolean | readonly string[] | null;
  /** Whether only listed values are allowed. */
  readonly hasAllowed: boolean;
}

/**
 * A filter of a dashboard: one that it defines, or a parameter of its reports. Its name and its default are those in the URL,
 * which for dates can be words, such as `last-30-days`.
 */
export interface DashboardFilter extends Omit<ShownParameter, 'hasAllowed'> {
  /** Absent if the dashboard doesn't define it. */
  readonly definition?: FilterDefinition;
  /** The parameters that it sets, each with a report that has it. */
  readonly sources: readonly FilterSource[];
  /** The widgets that it applies to. */
  readonly widgetIds: readonly string[];
}

export interface FilterSource {
  readonly reportId: string;
  readonly parameter: string;
  readonly hasAllowed: boolean;
  /** All parameters of the report, and the filters that set them. */
  readonly parameters: readonly ShownParameter[];
  readonly bindings: readonly Binding[];
}

/** A line of results with the configuration of its widgets, which says what filters apply. */
export interface FilteredLine {
  readonly widgetIds: readonly string[];
  readonly reportId: string;
  /** Absent if the report doesn't exist. */
  readonly parameters?: readonly ShownParameter[];
  readonly config?: Readonly<Record<string, unknown>>;
}

/**
 * Returns the filters of a dashboard: those that it defines, and the other parameters of its reports, one for each name. If
 * reports define a parameter differently, the first definition applies, or the first one of the same type that has allowed
 * values.
 */
export function filtersOfLines(
  lines: readonly FilteredLine[],
  definitions: DashboardFilters['filters'] = [],
): DashboardFilter[] {
  const sources = new Map<string, FilterSource[]>();
  const widgetIds = new Map<string, Set<string>>();
  const implicit = new Map<string, ShownParameter>();
  for (const line of lines) {
    const { parameters = [], reportId } = line;
    const bindings = bindingsOf(line.config ?? {}, parameters, definitions);
    for (const { parameter: name, filter, definition } of bindings) {
      const parameter = parameters.find((each) => each.name === name);
      if (parameter === undefined) continue;
      const source = { reportId, parameter: name, hasAllowed: parameter.hasAllowed, parameters, bindings };
      const known = sources.get(filter) ?? [];
      sources.set(filter, [...known, source]);
      widgetIds.set(filter, new Set([...(widgetIds.get(filter) ?? []), ...line.widgetIds]));
      if (definition !== undefined) continue;
      const before = implicit.get(filter);
      if (
        before === undefined ||
        (parameter.hasAllowed && !before.hasAllowed && parameter.type === before.type)
      )
        implicit.set(filter, parameter);
    }
  }
  const appliedTo = (name: string) => ({
    sources: sources.get(name) ?? [],
    widgetIds: [...(widgetIds.get(name) ?? [])],
  });
  return [
    ...definitions.map((definition) => ({
      name: definition.name,
      label: labelOf(definition),
      type: typeOfKind[definition.kind],
      ...(definition.default !== undefined && { default: definition.default }),
      definition,
      ...appliedTo(definition.name),
    })),
    ...[...implicit.values()].map(({ name, label, type, default: preset }) => ({
      name,
      ...(label !== undefined && { label }),
      type,
      ...(preset !== undefined && { default: preset }),
      ...appliedTo(name),
    })),
  ];
}

/** The type of the values that are picked in charts. */
const typeOfKind: Readonly<Record<FilterKind, ParameterType>> = {
  date_range: 'date',
  date: 'date',
  list: 'list',
  select: 'text',
  number_range: 'text',
  text: 'text',
  boolean: 'boolean',
};

/** Returns the value of a filter as a list. */
export const listOf = (value: FilterText | undefined): readonly string[] =>
  typeof value === 'string' ? [value] : (value ?? []);
