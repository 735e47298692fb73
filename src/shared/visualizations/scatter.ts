import type { Fields } from './fields.ts';

export const scatterFields: Fields = {
  '/x': 'position',
  '/y': 'position',
  '/size': 'measure',
  '/color': 'any',
  '/label': 'any',
};
