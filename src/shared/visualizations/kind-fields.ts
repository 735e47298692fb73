import type { Fields } from './fields.ts';

export const gaugeFields: Fields = { '/value': 'measure', '/targetField': 'measure' };

/** For funnels and waterfalls. */
export const stepFields: Fields = { '/category': 'any', '/value': 'measure', '/sort/field': 'any' };

export const pivotFields: Fields = { '/rows/*': 'any', '/columns/*': 'any', '/values/*/field': 'measure' };
