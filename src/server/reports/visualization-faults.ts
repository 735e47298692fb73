import type { Column } from '#contract/data-sources.ts';
import { columnTypes, type ColumnType } from '#shared/columns.ts';
import type { Fault } from '#contract/problem.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';

/** What a drawing asks of a column. */
type Need = 'any' | 'measure' | 'position';

interface Use {
  readonly pointer: string;
  readonly field: string;
  readonly need: Need;
}

/** Returns why the columns of an answer cannot be drawn as described: every fault, with pointers into the visualization. */
export function findDrawingFaults(visualization: Visualization, columns: readonly Column[]): Fault[] {
  const byName = new Map(columns.map((column) => [column.name, column]));
  return usesOf(visualization).flatMap(({ pointer, field, need }) => {
    const column = byName.get(field);
    if (column === undefined) {
      const names = columns.slice(0, 20).map(({ name }) => `“${name}”`);
      const message = `is none of the columns: ${names.join(', ')}${columns.length > 20 ? ' …' : ''}`;
      return [{ pointer, code: 'column', message }];
    }
    if (accepted[need].has(column.type)) return [];
    return [{ pointer, code: 'columnType', message: `${words[need]}; the column is ${column.type}` }];
  });
}

const numbers: readonly ColumnType[] = ['integer', 'decimal', 'double'];

const accepted: Readonly<Record<Need, ReadonlySet<ColumnType>>> = {
  any: new Set(columnTypes),
  measure: new Set(numbers),
  position: new Set([...numbers, 'date', 'datetime', 'instant', 'time']),
};

const words: Readonly<Record<Need, string>> = {
  any: 'may be of any type',
  measure: 'must be a column of numbers',
  position: 'must be a column of numbers, dates or times',
};

function usesOf(visualization: Visualization): Use[] {
  switch (visualization.kind) {
    case 'table':
      return [
        ...(visualization.columns ?? []).map(({ field }, index) => use(`/columns/${index}/field`, field)),
        ...sortOf(visualization.sort),
      ];
    case 'number':
      return [
        use('/value', visualization.value, 'measure'),
        ...optional('/comparison/field', visualization.comparison?.field, 'measure'),
      ];
    case 'bar':
    case 'line':
    case 'area':
      return [
        use('/x', visualization.x),
        ...visualization.series.map(({ field }, index) => use(`/series/${index}/field`, field, 'measure')),
        ...optional('/splitBy', visualization.splitBy),
        ...sortOf(visualization.sort),
      ];
    case 'scatter':
      return [
        use('/x', visualization.x, 'position'),
        use('/y', visualization.y, 'position'),
        ...optional('/size', visualization.size, 'measure'),
        ...optional('/color', visualization.color),
        ...optional('/label', visualization.label),
      ];
    case 'pie':
      return [
        use('/category', visualization.category),
        use('/value', visualization.value, 'measure'),
        ...sortOf(visualization.sort),
      ];
    case 'heatMap':
      return [
        use('/x', visualization.x),
        use('/y', visualization.y),
        use('/value', visualization.value, 'measure'),
      ];
    case 'histogram':
      return [use('/value', visualization.value, 'measure')];
    case 'text':
      return namesIn(visualization.text).map((field) => use('/text', field));
  }
}

/** Returns the names of the columns that a text refers to as `{{column}}`, each once; spaces around a name are ignored. */
const namesIn = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(/\{\{([^{}]+)\}\}/g), ([, name = '']) => name.trim())),
];

const use = (pointer: string, field: string, need: Need = 'any'): Use => ({ pointer, field, need });

const optional = (pointer: string, field: string | undefined, need: Need = 'any'): Use[] =>
  field === undefined ? [] : [use(pointer, field, need)];

const sortOf = (sort: { field: string } | undefined): Use[] => optional('/sort/field', sort?.field);
