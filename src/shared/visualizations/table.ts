import type { Fields } from './fields.ts';

export const tableFields: Fields = {
  '/columns/*/field': 'any',
  '/columns/*/linkField': 'any',
  '/sort/field': 'any',
};
