import type { Fault } from '#contract/problem.ts';
import type { ReportParameter } from '#contract/reports/reports.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { createFormatter } from './values/formats.ts';
import { findColumn, type DrawnRows } from './values/result-values.ts';

/** Returns words with the values of the first row in the places of `{{column}}`; a place without a column stays as it is. */
export function fillText(text: string, result: DrawnRows): string {
  const row = result.rows[0];
  return text.replaceAll(/\{\{([^{}]+)\}\}/g, (place, name: string) => {
    const column = findColumn(result, name.trim());
    return column === undefined ? place : createFormatter(column)(row?.[column.index]);
  });
}

/** Returns why an answer cannot be drawn as described, a sentence a fault. */
export const faultWords = (visualization: Visualization, faults: readonly Fault[]): string[] =>
  faults.map(({ pointer, message }) => {
    if (visualization.kind === 'text') return `A name in {{ }} ${message}.`;
    const parts = pointer.split('/').slice(1);
    const named = parts.reduce<unknown>(
      (value, part) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : undefined,
      visualization,
    );
    const subject = typeof named === 'string' && named.length <= 200 ? `“${named}”` : parts.join(' ');
    return `${subject} ${message}.`;
  });

/** Says that there are no rows, and which parameters have no value: the query reads null there, which is often why. */
export function noRowsWords(
  parameters: readonly Pick<ReportParameter, 'name' | 'label' | 'default'>[],
  values: Readonly<Record<string, unknown>>,
): string {
  const unset = parameters.filter(
    ({ name, default: preset }) => ((Object.hasOwn(values, name) ? values[name] : preset) ?? null) === null,
  );
  const names = unset.map(({ name, label }) => `“${label ?? name}”`);
  return names.length === 0 ? 'No rows' : `No rows. No value is chosen for ${names.join(', ')}.`;
}
