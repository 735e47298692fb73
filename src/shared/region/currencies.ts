/** The code for “no currency” (ISO 4217), of organizations that haven't chosen one. */
export const noCurrency = 'XXX';

let known: ReadonlySet<string> | undefined;

/** Returns whether a text is the code of a currency (ISO 4217), such as `EUR`, or `XXX` for none. */
export function isCurrency(text: string): boolean {
  known ??= new Set(Intl.supportedValuesOf('currency'));
  return text === noCurrency || known.has(text);
}

/** Returns the codes of all currencies, sorted. */
export const currencies = (): readonly string[] =>
  Intl.supportedValuesOf('currency').filter((code) => code !== noCurrency);
