import { Type } from 'typebox';
import { textFields } from '#shared/visualizations/text.ts';
import { defineKind } from './parts.ts';

/** A text with values of the first row in the places of `{{column}}`. Never markup. */
export const text = defineKind('text', textFields, { text: Type.String({ maxLength: 20_000 }) });
