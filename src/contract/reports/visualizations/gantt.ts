import { Type } from 'typebox';
import { ganttFields } from '#shared/visualizations/kind-fields.ts';
import { defineKind, Field, Sort } from './parts.ts';

const column = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });

export const gantt = defineKind('gantt', ganttFields, {
  label: column('Same values share a line'),
  start: column('Dates, times or numbers'),
  end: column('A date includes that day'),
  group: Type.Optional(column('Decides the colors and the order of lines')),
  progress: Type.Optional(Field),
  hasToday: Type.Optional(Type.Boolean({ description: 'Default: true' })),
  sort: Type.Optional(Sort),
});
