export const parameterTypes = ['text', 'number', 'boolean', 'date', 'datetime', 'list'] as const;
export type ParameterType = (typeof parameterTypes)[number];

/** The most characters of a value of a parameter. */
export const maxValueLength = 10_000;

/** The names that parameters can have. */
export const parameterName = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

const decimalNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Returns the value of a parameter in a URL, converted to the parameter's type. Empty text is a value only for the type `text`;
 * for other types it means that nothing is selected (null). If a name is repeated, the last value counts, except for a list.
 * Text that isn't valid for the type is returned unchanged, so that validation can report it.
 */
export function parameterValue(
  type: ParameterType,
  given: string | readonly string[],
): string | number | boolean | readonly string[] | null {
  if (type === 'list') return typeof given === 'string' ? [given] : given;
  const text = typeof given === 'string' ? given : (given.at(-1) ?? '');
  if (text === '' && type !== 'text') return null;
  // JSON has no infinity: it would be sent as null.
  if (type === 'number')
    return decimalNumber.test(text) && Number.isFinite(Number(text)) ? Number(text) : text;
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
