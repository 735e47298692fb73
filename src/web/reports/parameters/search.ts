import type { ParameterValue, ReportParameter } from '#contract/reports/reports.ts';

type Search = Readonly<Record<string, unknown>>;
/** Values by the names of parameters; null: none is chosen. */
export type ParameterValues = Readonly<Record<string, ParameterValue>>;

/**
 * Returns the values that an address gives to parameters, each of its type. What fits no type is left to the server, which
 * says what is wrong with it; an empty text chooses none.
 */
export function valuesFromSearch(parameters: readonly ReportParameter[], search: Search): ParameterValues {
  return Object.fromEntries(
    parameters.flatMap(({ name, type }) => {
      if (!Object.hasOwn(search, name)) return [];
      const given = search[name];
      const texts = (Array.isArray(given) ? given : [given]).map(String);
      return [[name, type === 'list' ? listOf(texts) : valueOf(type, texts.at(-1) ?? '')]];
    }),
  );
}

const listOf = (texts: readonly string[]): ParameterValue => {
  const chosen = texts.filter((text) => text !== '');
  return chosen.length === 0 ? null : chosen;
};

function valueOf(type: ReportParameter['type'], text: string): ParameterValue {
  if (text === '') return null;
  if (type === 'number') return Number.isFinite(Number(text)) ? Number(text) : text;
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Returns how a value stands in an address, from which `valuesFromSearch` reads it. */
export function searchValueOf(value: ParameterValue): string | readonly string[] {
  if (value === null) return '';
  if (typeof value === 'object') return value.length === 0 ? '' : value;
  return String(value);
}
