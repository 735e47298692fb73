import type { Filter } from '#shared/query-builder/structure.ts';
import { withOptional } from '../../../visualizations/settings/without.ts';
import { withColumn, type AvailableColumn } from '../available.ts';
import { useBuilder } from '../context.ts';
import { replacedAt, withoutAt } from '../list.ts';
import { firstOperator, withOperator } from './condition-kinds.ts';

/** The filters of the rows, and those of the summarized rows. */
export type FilterStepName = 'filters' | 'resultFilters';

/** Changes the filters of a step. */
export function useFilters(step: FilterStepName = 'filters'): {
  readonly filters: readonly Filter[];
  addFilter(column: AvailableColumn): void;
  addFormula(): void;
  replace(index: number, filter: Filter, group?: string): void;
  remove(index: number): void;
} {
  const { structure, change, setOpen } = useBuilder();
  const { [step]: filters = [] } = structure;
  const set = (changed: readonly Filter[], group?: string) =>
    change(withOptional(structure, step, changed.length === 0 ? undefined : changed), group);
  const add = (filter: Filter, before = structure) => {
    change({ ...before, [step]: [...filters, filter] });
    setOpen({ step, item: filters.length, isNew: true });
  };
  return {
    filters,
    addFilter: (column) => {
      const { reference, type } = column;
      const filter: Filter =
        type === 'boolean'
          ? { column: reference, operator: 'is', values: [true] }
          : { column: reference, ...withOperator(undefined, firstOperator(type)) };
      add(filter, withColumn(structure, column));
    },
    addFormula: () => add({ formula: '' }),
    replace: (index, filter, group) => set(replacedAt(filters, index, filter), group),
    remove: (index) => set(withoutAt(filters, index)),
  };
}
