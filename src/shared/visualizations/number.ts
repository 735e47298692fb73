import type { Fields } from './fields.ts';

export const numberFields: Fields = {
  '/value': 'measure',
  '/comparison/field': 'measure',
  '/trend/by': 'position',
};
