import { Type } from 'typebox';
import { mapFields } from '#shared/visualizations/kind-fields.ts';
import { defineKind, Field, ValueFormat } from './parts.ts';

export const map = defineKind('map', mapFields, {
  map: Type.Optional(
    Type.Enum(['world', 'usStates'], {
      description: 'Its regions. Default: `world`',
    }),
  ),
  region: Type.Optional(Field),
  latitude: Type.Optional(Field),
  longitude: Type.Optional(Field),
  value: Type.Optional(Field),
  color: Type.Optional(Field),
  label: Type.Optional(Field),
  format: Type.Optional(ValueFormat),
});
