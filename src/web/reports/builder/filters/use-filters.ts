import type { Filter } from '#shared/query-builder/structure.ts';
import { withOptional } from '../../../visualizations/settings/without.ts';
import type { AvailableColumn } from '../available.ts';
import { useBuilder } from '../context.ts';
import { replacedAt, withoutAt } from '../list.ts';
import { firstOperator, withOperator } from './condition-kinds.ts';

/** Changes the filters of the query. */
export function useFilters(): {
  readonly filters: readonly Filter[];
  addFilter(column: AvailableColumn): void;
  addFormula(): void;
  replace(index: number, filter: Filter, group?: string): void;
  remove(index: number): void;
} {
  const { structure, change, setOpen } = useBuilder();
  const { filters = [] } = structure;
  const set = (changed: readonly Filter[], group?: string) =>
    change(withOptional(structure, 'filters', changed.length === 0 ? undefined : changed), group);
  const add = (filter: Filter) => {
    set([...filters, filter]);
    setOpen({ step: 'filters', item: filters.length, isNew: true });
  };
  return {
    filters,
    addFilter: ({ reference, type }) =>
      add(
        type === 'boolean'
          ? { column: reference, operator: 'is', values: [true] }
          : { column: reference, ...withOperator(undefined, firstOperator(type)) },
      ),
    addFormula: () => add({ formula: '' }),
    replace: (index, filter, group) => set(replacedAt(filters, index, filter), group),
    remove: (index) => set(withoutAt(filters, index)),
  };
}
