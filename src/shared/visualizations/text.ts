import type { Fields } from './fields.ts';

export const textFields: Fields = { '/text': 'template' };
