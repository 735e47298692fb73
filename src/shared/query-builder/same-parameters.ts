import type { GeneratedParameter } from './parameters.ts';

/** What a built query decides about a parameter; people may change its label and which values are allowed. */
type Parameter = Pick<GeneratedParameter, 'name' | 'type'> & {
  readonly default?: GeneratedParameter['default'];
};

/** Returns whether a report has the parameters that its structure generates, in the same order. */
export const isSameParameters = (
  generated: readonly Parameter[],
  parameters: readonly Parameter[],
): boolean => textOf(generated) === textOf(parameters);

const textOf = (parameters: readonly Parameter[]): string =>
  JSON.stringify(parameters.map(({ name, type, default: value = null }) => [name, type, value]));
