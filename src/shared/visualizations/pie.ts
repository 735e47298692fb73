import type { Fields } from './fields.ts';

export const pieFields: Fields = { '/category': 'any', '/value': 'measure', '/sort/field': 'any' };
