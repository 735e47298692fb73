import { fillTemplate } from '#shared/visualizations/template.ts';
import { createFormatter } from '../values/formats.ts';
import { findColumn, type ResultRows } from '../values/result-values.ts';

/** Returns a text with each `{{column}}` replaced by its value in the first row, in the default format. */
export const fillText = (text: string, result: ResultRows): string =>
  fillTemplate(text, (name) => {
    const column = findColumn(result, name);
    return column && createFormatter(column)(result.rows[0]?.[column.index]);
  });
