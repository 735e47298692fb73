import type { Column } from '#contract/data-sources.ts';
import type { Fault } from '#contract/problem.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { fitsNeed, type Need } from './kinds.ts';

/** A column that a drawing uses, where it says so, and what it asks of it. */
type Use = readonly [pointer: string, field: string | undefined, need?: Need];

/**
 * Returns why an answer cannot be drawn as described, as the server tells it: here for a drawing that is being chosen, over
 * an answer that is there already.
 */
export function findEncodingFaults(visualization: Visualization, columns: readonly Column[]): Fault[] {
  const byName = new Map(columns.map((column) => [column.name, column]));
  return usesOf(visualization).flatMap(([pointer, field, need = 'any']): Fault[] => {
    if (field === undefined) return [];
    const column = byName.get(field);
    if (column === undefined) return [{ pointer, code: 'column', message: 'is none of the columns' }];
    if (fitsNeed(column, need)) return [];
    const words = need === 'measure' ? 'a column of numbers' : 'a column of numbers, dates or times';
    return [{ pointer, code: 'columnType', message: `must be ${words}; the column is ${column.type}` }];
  });
}

function usesOf(visualization: Visualization): readonly Use[] {
  switch (visualization.kind) {
    case 'table':
      return [
        ...(visualization.columns ?? []).map(({ field }, index): Use => [`/columns/${index}/field`, field]),
        ['/sort/field', visualization.sort?.field],
      ];
    case 'number':
      return [
        ['/value', visualization.value, 'measure'],
        ['/comparison/field', visualization.comparison?.field, 'measure'],
      ];
    case 'bar':
    case 'line':
    case 'area':
      return [
        ['/x', visualization.x],
        ...visualization.series.map(({ field }, index): Use => [`/series/${index}/field`, field, 'measure']),
        ['/splitBy', visualization.splitBy],
        ['/sort/field', visualization.sort?.field],
      ];
    case 'scatter':
      return [
        ['/x', visualization.x, 'position'],
        ['/y', visualization.y, 'position'],
        ['/size', visualization.size, 'measure'],
        ['/color', visualization.color],
        ['/label', visualization.label],
      ];
    case 'pie':
      return [
        ['/category', visualization.category],
        ['/value', visualization.value, 'measure'],
        ['/sort/field', visualization.sort?.field],
      ];
    case 'heatMap':
      return [
        ['/x', visualization.x],
        ['/y', visualization.y],
        ['/value', visualization.value, 'measure'],
      ];
    case 'histogram':
      return [['/value', visualization.value, 'measure']];
    case 'text':
      return namesIn(visualization.text).map((field): Use => ['/text', field]);
  }
}

/** Returns the names of the columns that a text refers to as `{{column}}`, each once; spaces around a name are ignored. */
const namesIn = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(/\{\{([^{}]+)\}\}/g), ([, name = '']) => name.trim())),
];
