import { addDays, startOfDay, type Calendar } from '../dates/days.ts';
import { hasZone } from '../dates/times.ts';
import { resolveDay, resolveRange } from '../dates/ranges.ts';
import { parameterValue, type ParameterType } from '../parameter-values.ts';
import type { Binding } from './bindings.ts';
import { labelOf, type FilterDefinition, type FilterText } from './definitions.ts';

/** The values of filters in a URL, by their names. */
export type GivenValues = Readonly<Record<string, FilterText | undefined>>;

/** A parameter of a report, and its own default. */
export interface ParameterWithDefault {
  readonly name: string;
  readonly type: ParameterType;
  readonly default?: unknown;
}

type Value = ReturnType<typeof parameterValue>;

/** What the filters of a dashboard mean for one report. */
export interface ReportValues {
  /** The values of its parameters, converted to their types if possible; a parameter without a filter's value is absent. */
  readonly values: Readonly<Record<string, Value>>;
  /** The labels of required filters that have no value. */
  readonly missing: readonly string[];
}

/** Returns the values of a report's parameters. Relative dates are resolved by the calendar. */
export function valuesOfReport(
  bindings: readonly Binding[],
  parameters: readonly ParameterWithDefault[],
  given: GivenValues,
  calendar: Calendar,
): ReportValues {
  const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  const values = new Map<string, Value>();
  const missing = new Set<string>();
  for (const { parameter: name, filter, definition, end } of bindings) {
    const parameter = byName.get(name);
    const text = valueOf(given, filter, definition);
    if (definition?.isRequired === true && isEmpty(text)) missing.add(labelOf(definition));
    if (parameter === undefined || text === undefined) continue;
    values.set(name, valueFor(parameter, text, definition, end, calendar));
  }
  return { values: Object.fromEntries(values), missing: [...missing] };
}

/** Returns the value of a filter in a URL or, if there is none, its default on the dashboard. */
export const valueOf = (
  given: GivenValues,
  filter: string,
  definition?: Pick<FilterDefinition, 'default'>,
): FilterText | undefined =>
  (Object.hasOwn(given, filter) ? given[filter] : undefined) ?? definition?.default;

/** Whether nothing is selected. */
export const isEmpty = (text: FilterText | undefined): boolean =>
  text === undefined || text === '' || text.length === 0 || (text.length === 1 && text[0] === '');

function valueFor(
  parameter: ParameterWithDefault,
  text: FilterText,
  definition: FilterDefinition | undefined,
  end: Binding['end'],
  calendar: Calendar,
): Value {
  const { type } = parameter;
  if (definition === undefined) {
    const day = type === 'date' && typeof text === 'string' ? resolveDay(text, calendar) : undefined;
    return day ?? parameterValue(type, text);
  }
  if (isEmpty(text)) return null;
  const last = lastOf(text);
  switch (definition.kind) {
    case 'date_range': {
      const range = resolveRange(last, calendar);
      if (range === undefined) return last;
      const day = range[end ?? 'from'];
      return day === undefined ? null : dayFor(parameter, day, end, calendar);
    }
    case 'date': {
      const day = resolveDay(last, calendar);
      return day === undefined ? last : dayFor(parameter, day, 'from', calendar);
    }
    case 'number_range': {
      const range = parseNumberRange(last);
      return range === undefined ? last : parameterValue(type, range[end ?? 'from']);
    }
    case 'list':
    case 'select':
    case 'text':
    case 'boolean':
      return parameterValue(type, text);
  }
}

/** A parameter for a time gets the start or the end of the day: an instant if its own default is one, otherwise a local time. */
function dayFor(
  { type, default: preset }: ParameterWithDefault,
  day: string,
  end: Binding['end'],
  { timeZone }: Calendar,
): string {
  if (type !== 'datetime') return day;
  const isInstant = typeof preset === 'string' && hasZone(preset);
  if (!isInstant) return end === 'to' ? `${day}T23:59:59.999999` : `${day}T00:00:00`;
  const time = end === 'to' ? startOfDay(addDays(day, 1), timeZone) - 1 : startOfDay(day, timeZone);
  return new Date(time).toISOString();
}

const lastOf = (text: FilterText): string => (typeof text === 'string' ? text : (text.at(-1) ?? ''));

/** Reads a range such as `10..20`, `10..` or `..20`; a single number is that number. */
export function parseNumberRange(text: string): { readonly from: string; readonly to: string } | undefined {
  const [from = '', to = from, ...more] = text.split('..');
  return more.length === 0 && [from, to].every((each) => each === '' || Number.isFinite(Number(each)))
    ? { from, to }
    : undefined;
}

/** Returns the text that `parseNumberRange` reads; empty if both ends are open. */
export const formatNumberRange = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  from === to ? from : `${from}..${to}`;
