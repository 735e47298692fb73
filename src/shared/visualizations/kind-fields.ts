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

export const sankeyFields: Fields = { '/source': 'any', '/target': 'any', '/value': 'measure' };

export const ganttFields: Fields = {
  '/label': 'any',
  '/start': 'position',
  '/end': 'position',
  '/group': 'any',
  '/progress': 'measure',
  '/sort/field': 'any',
};

export const mapFields: Fields = {
  '/region': 'any',
  '/latitude': 'measure',
  '/longitude': 'measure',
  '/value': 'measure',
  '/color': 'any',
  '/label': 'any',
};
