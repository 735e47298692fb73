import type { ParameterType } from '../parameter-values.ts';
import { objectIn, type FilterDefinition, type FilterKind } from './definitions.ts';

/** A parameter of a report that can be set by a filter. */
export interface FilteredParameter {
  readonly name: string;
  readonly type: ParameterType;
}

/** A parameter of a widget's report, and the filter that sets it. */
export interface Binding {
  readonly parameter: string;
  /** The name of the filter in the URL. */
  readonly filter: string;
  /** Absent if the dashboard doesn't define the filter: it then has the name and the type of its parameter. */
  readonly definition?: FilterDefinition;
  /** For a range: the end that the parameter has. */
  readonly end?: 'from' | 'to';
}

/** A parameter that a filter sets or, for a range, the start of the names of two; null if the filter doesn't affect the widget. */
export type WidgetTarget = string | null | { readonly from?: string; readonly to?: string };

const rangeKinds: ReadonlySet<FilterKind> = new Set(['date_range', 'number_range']);

/** Whether a filter has two values. */
export const isRange = (kind: FilterKind): boolean => rangeKinds.has(kind);

/** Returns what the config of a widget says about a filter; undefined if nothing. */
export function targetIn(
  config: Readonly<Record<string, unknown>>,
  filter: string,
): WidgetTarget | undefined {
  const targets = objectIn(config['filters']);
  const target = targets !== undefined && Object.hasOwn(targets, filter) ? targets[filter] : undefined;
  if (target === null || typeof target === 'string') return target;
  const { from, to } = objectIn(target) ?? {};
  if (typeof from !== 'string' && typeof to !== 'string') return undefined;
  return { ...(typeof from === 'string' && { from }), ...(typeof to === 'string' && { to }) };
}

/**
 * Returns which filters set the parameters of a widget's report. A filter sets the parameter that the widget's config names, or
 * else the one with its own name; a range called `day` sets `day_from` and `day_to`. Parameters that no filter of the dashboard
 * sets by its name are filters themselves.
 */
export function bindingsOf(
  config: Readonly<Record<string, unknown>>,
  parameters: readonly FilteredParameter[],
  definitions: readonly FilterDefinition[],
): Binding[] {
  const known = new Set(parameters.map(({ name }) => name));
  const bound = new Map<string, Binding>();
  for (const definition of definitions) {
    for (const binding of bindingsOfFilter(definition, targetIn(config, definition.name)))
      if (known.has(binding.parameter) && !bound.has(binding.parameter))
        bound.set(binding.parameter, binding);
  }
  const defined = new Set(definitions.flatMap(parameterNamesOf));
  return parameters.flatMap(({ name }): Binding[] => {
    const binding = bound.get(name);
    if (binding !== undefined) return [binding];
    return defined.has(name) || targetIn(config, name) === null ? [] : [{ parameter: name, filter: name }];
  });
}

/**
 * Whether filters of the dashboard decide which rows a widget shows: one sets a parameter of its report, or keeps the filter with the
 * parameter's own name from setting it.
 */
export const dependsOnFilters = (
  config: Readonly<Record<string, unknown>>,
  parameters: readonly Pick<FilteredParameter, 'name'>[],
  bindings: readonly Binding[],
): boolean =>
  parameters.some(({ name }) => {
    const binding = bindings.find(({ parameter }) => parameter === name);
    return binding === undefined ? targetIn(config, name) !== null : binding.definition !== undefined;
  });

/** Returns the names of the parameters that a filter sets unless a widget says otherwise. */
const parameterNamesOf = ({ name, kind }: FilterDefinition): string[] =>
  isRange(kind) ? [name, ...Object.values(endsOf(name))] : [name];

function bindingsOfFilter(definition: FilterDefinition, target: WidgetTarget | undefined): Binding[] {
  const { name, kind } = definition;
  if (target === null) return [];
  const wanted = target ?? name;
  if (!isRange(kind))
    return typeof wanted === 'string' ? [{ parameter: wanted, filter: name, definition }] : [];
  const { from, to } = typeof wanted === 'string' ? endsOf(wanted) : wanted;
  return [
    ...(from === undefined ? [] : [{ parameter: from, filter: name, definition, end: 'from' } as const]),
    ...(to === undefined ? [] : [{ parameter: to, filter: name, definition, end: 'to' } as const]),
  ];
}

/** Returns the parameters of a range by the start of their names, as the query builder names them. */
export const endsOf = (name: string): { readonly from: string; readonly to: string } => ({
  from: `${name}_from`,
  to: `${name}_to`,
});
