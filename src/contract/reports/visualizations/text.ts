import { Type } from 'typebox';
import { textFields } from '#shared/visualizations/text.ts';
import { defineKind } from './parts.ts';

/** A text in which `{{column}}` stands for the value of the first row. It is never interpreted as markup. */
export const text = defineKind('text', textFields, { text: Type.String({ maxLength: 20_000 }) });
