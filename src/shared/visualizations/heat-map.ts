import type { Fields } from './fields.ts';

export const heatMapFields: Fields = { '/x': 'any', '/y': 'any', '/value': 'measure' };
