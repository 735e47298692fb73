import { useQueryClient } from '@tanstack/react-query';
import { isNumeric, isTemporal } from '#shared/columns.ts';
import type { Group, Measure, QueryStructure } from '#shared/query-builder/structure.ts';
import { withColumn, type AvailableColumn } from '../available.ts';
import { useBuilder } from '../context.ts';
import { withoutAt } from '../list.ts';
import { defaultGroupName, defaultMeasureName, uniqueName, type ComputedMeasure } from '../names.ts';
import { builtResultQuery, rangeOf, runnableOf } from '../preview/queries.ts';
import { defaultBinWidth, defaultGranularity } from './default-grouping.ts';

/** Where the groups start among the items of the step, whose first are the measures. */
export const firstGroupItem = 1_000;

const takenNames = ({ groups = [], measures = [] }: QueryStructure): string[] => [
  ...groups.map((group) => group.name ?? group.column.name),
  ...measures.map(({ name }) => name),
];

/** Returns a query with other measures and groups, and without sorting by results that it no longer has. */
function withSummary(
  structure: QueryStructure,
  changed: { readonly groups?: readonly Group[]; readonly measures?: readonly Measure[] },
): QueryStructure {
  const { groups = [], measures = [], sort = [], resultFilters, ...rest } = { ...structure, ...changed };
  const names = takenNames({ table: structure.table, groups, measures });
  const isSummarized = names.length > 0;
  const sorted = sort.filter(({ name }) => names.includes(name));
  return {
    ...rest,
    ...(groups.length > 0 && { groups }),
    ...(measures.length > 0 && { measures }),
    ...(resultFilters !== undefined && isSummarized && { resultFilters }),
    ...(sorted.length > 0 && { sort: sorted }),
  };
}

/** Returns a query with another group. If it has no measures yet, it counts the rows. */
function withGroup(structure: QueryStructure, group: Group): QueryStructure {
  const { groups = [], measures = [] } = structure;
  const name = uniqueName(defaultGroupName(group), takenNames(structure));
  const named = name === group.column.name ? group : { ...group, name };
  const counted: Measure[] =
    measures.length > 0
      ? [...measures]
      : [{ aggregate: 'count', name: defaultMeasureName({ aggregate: 'count' }, structure) }];
  return withSummary(structure, { groups: [...groups, named], measures: counted });
}

/** Changes what the query summarizes, and by what. */
export function useSummary(): {
  readonly measures: readonly Measure[];
  readonly groups: readonly Group[];
  /** Without a name, it has that of what it computes. */
  addMeasure(measure: ComputedMeasure, name?: string): void;
  /** @param isEdited Whether the group opens, and its first field gets the focus. */
  addGroup(column: AvailableColumn, isEdited?: boolean): Promise<void>;
  replaceMeasure(index: number, measure: Measure, group?: string): void;
  replaceGroup(index: number, group: Group, changeGroup?: string): void;
  removeMeasure(index: number): void;
  removeGroup(index: number): void;
} {
  const builder = useBuilder();
  const { structure, change, setOpen, dialect } = builder;
  const { measures = [], groups = [] } = structure;
  const client = useQueryClient();

  /** Returns the lowest and the highest value of a column; empty if they can't be read soon. */
  const readRange = async (column: AvailableColumn): Promise<readonly unknown[]> => {
    const runnable = runnableOf(rangeOf(withColumn(structure, column), column.reference), dialect);
    // Another step is incomplete.
    if (runnable === undefined) return [];
    const query = builtResultQuery(builder, runnable);
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => late.resolve(undefined), 2_000);
    const read = client.query(query).catch(() => undefined);
    const result = await Promise.race([read, late.promise]);
    clearTimeout(timer);
    return result?.rows[0] ?? [];
  };

  return {
    measures,
    groups,
    addMeasure(computed, wanted) {
      const name = uniqueName(wanted ?? defaultMeasureName(computed, structure), takenNames(structure));
      // Sound because only the name was missing.
      const measure = { ...computed, name } as Measure;
      change(withSummary(structure, { measures: [...measures, measure] }));
      setOpen(
        computed.aggregate === 'formula' && computed.formula === ''
          ? { step: 'summarize', item: measures.length, isNew: true }
          : { step: 'summarize', isNew: true },
      );
    },
    async addGroup(column, isEdited = false) {
      const { reference, type } = column;
      const [lowest, highest] = isNumeric(type) || isTemporal(type) ? await readRange(column) : [];
      const granularity = isTemporal(type) ? defaultGranularity(lowest, highest, type) : undefined;
      const binWidth = isNumeric(type) ? defaultBinWidth(lowest, highest, type) : undefined;
      const group: Group = {
        column: reference,
        ...(granularity !== undefined && { granularity }),
        ...(binWidth !== undefined && { binWidth }),
      };
      // The query may have changed while the range was read.
      change((present) => withGroup(withColumn(present, column), group));
      if (isEdited) setOpen({ step: 'summarize', item: firstGroupItem + groups.length, isNew: true });
    },
    replaceMeasure: (index, measure, group) =>
      change(
        withSummary(withRenamed(structure, measures[index]?.name, measure.name), {
          measures: measures.with(index, measure),
        }),
        group,
      ),
    replaceGroup: (index, group, changeGroup) => {
      const before = groups[index];
      const renamed = withRenamed(
        structure,
        before && (before.name ?? before.column.name),
        group.name ?? group.column.name,
      );
      change(withSummary(renamed, { groups: groups.with(index, group) }), changeGroup);
    },
    removeMeasure: (index) => change(withSummary(structure, { measures: withoutAt(measures, index) })),
    removeGroup: (index) => change(withSummary(structure, { groups: withoutAt(groups, index) })),
  };
}

/** Returns a query that sorts by the new name of a result. */
function withRenamed(structure: QueryStructure, before: string | undefined, name: string): QueryStructure {
  const { sort } = structure;
  return sort === undefined || before === undefined || before === name
    ? structure
    : { ...structure, sort: sort.map((one) => (one.name === before ? { ...one, name } : one)) };
}
