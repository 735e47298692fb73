import type { Fields } from './fields.ts';

export const tableFields: Fields = { '/columns/*/field': 'any', '/sort/field': 'any' };
