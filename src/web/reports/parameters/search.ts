import type { ParameterValue, ReportParameter } from '#contract/reports/reports.ts';
import { parameterValue } from '#shared/parameter-values.ts';

type Search = Readonly<Record<string, unknown>>;
/** Values by parameter name; null if none is chosen. */
export type ParameterValues = Readonly<Record<string, ParameterValue>>;

/**
 * Returns the values that a URL gives to parameters, each in its type. A text that does not fit is left to the server, which
 * reports it. An empty text means that no value is chosen, also for a text: a parameter that is left out has its default.
 */
export function valuesFromSearch(parameters: readonly ReportParameter[], search: Search): ParameterValues {
  return Object.fromEntries(
    parameters.flatMap(({ name, type }) => {
      if (!Object.hasOwn(search, name)) return [];
      const given = search[name];
      const texts = (Array.isArray(given) ? given : [given]).map(String);
      const chosen = type === 'list' ? texts.filter((text) => text !== '') : texts.slice(-1);
      return [[name, chosen.join('') === '' ? null : parameterValue(type, chosen)]];
    }),
  );
}

/** Returns a value as it is written into a URL, from which `valuesFromSearch` reads it. */
export function searchValueOf(value: ParameterValue): string | readonly string[] {
  if (value === null) return '';
  if (typeof value === 'object') return value.length === 0 ? '' : value;
  return String(value);
}

/** Returns the value of a parameter: the given one, otherwise its default, otherwise null. */
export const valueOf = (
  { name, default: byDefault }: ReportParameter,
  values: ParameterValues,
): ParameterValue => (Object.hasOwn(values, name) ? values[name] : byDefault) ?? null;
