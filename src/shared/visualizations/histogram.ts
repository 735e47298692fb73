import type { Fields } from './fields.ts';

export const histogramFields: Fields = { '/value': 'measure' };
