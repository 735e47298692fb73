import type { Fields } from './fields.ts';

/** For bar, line, area and combo charts. */
export const cartesianFields: Fields = {
  '/x': 'any',
  '/series/*/field': 'measure',
  '/splitBy': 'any',
  '/sort/field': 'any',
};
