import type { Fields } from './fields.ts';

/** For bar, line and area charts. */
export const cartesianFields: Fields = {
  '/x': 'any',
  '/series/*/field': 'measure',
  '/splitBy': 'any',
  '/sort/field': 'any',
};
