export const parameterTypes = ['text', 'number', 'boolean', 'date', 'datetime', 'list'] as const;
export type ParameterType = (typeof parameterTypes)[number];

const decimalNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Returns the value that a URL gives to a parameter, in the parameter's type. An empty text is a value only of a text: for any
 * other type it means that no value is chosen (null). Of a name that is given twice, the last one counts unless it is a list. A
 * text that does not fit the type is returned as it is, so that the check that follows can report it.
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
