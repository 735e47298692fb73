import type { Fields } from './fields.ts';

export const gaugeFields: Fields = { '/value': 'measure', '/targetField': 'measure' };

/** For funnels and waterfalls. */
export const stepFields: Fields = { '/category': 'any', '/value': 'measure', '/sort/field': 'any' };

export const pivotFields: Fields = { '/rows/*': 'any', '/columns/*': 'any', '/values/*/field': 'measure' };

export const boxPlotFields: Fields = {
  '/category': 'any',
  '/value': 'measure',
  '/summary/min': 'measure',
  '/summary/lowerQuartile': 'measure',
  '/summary/upperQuartile': 'measure',
  '/summary/max': 'measure',
};

export const calendarFields: Fields = { '/date': 'date', '/value': 'measure' };

export const treemapFields: Fields = { '/category': 'any', '/group': 'any', '/value': 'measure' };
