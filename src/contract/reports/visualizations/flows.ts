import { Type } from 'typebox';
import { sankeyFields } from '#shared/visualizations/kind-fields.ts';
import { defineKind, Field, ValueFormat } from './parts.ts';

export const sankey = defineKind('sankey', sankeyFields, {
  source: Field,
  target: Type.String({ minLength: 1, maxLength: 200, description: 'Where each flow leads to' }),
  value: Field,
  format: Type.Optional(ValueFormat),
  hasSeparateSides: Type.Optional(
    Type.Boolean({
      description: 'Whether names that are sources and targets have two nodes',
    }),
  ),
});
