import type { Column } from '#contract/data-sources/data-sources.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { isNumeric } from '#shared/columns.ts';
import { meets } from '#shared/visualizations/fields.ts';
import type { ColumnChoice, KindName } from './kind.ts';
import { kindOf } from './kinds.ts';

/**
 * Returns a visualization of another kind, with the settings that both kinds have in common, and otherwise with the first
 * suitable columns. Undefined if there are none.
 */
export function changeKind(
  before: Visualization,
  kind: KindName,
  columns: readonly Column[],
): Visualization | undefined {
  if (before.kind === kind) return before;
  const settings = kindOf(kind).create(chooseColumns(before, columns));
  if (settings === undefined) return undefined;
  const title = before.title === undefined ? {} : { title: before.title };
  // Sound because these are the settings of this kind.
  return { ...settings, ...title, kind } as Visualization;
}

function chooseColumns(before: Visualization, columns: readonly Column[]): ColumnChoice {
  const roles = kindOf(before.kind).roles(before);
  const pick: ColumnChoice['pick'] = (requirement, preferred, used) => {
    const suitable = columns.filter((column) => meets(column, requirement)).map(({ name }) => name);
    const free = suitable.filter((name) => !used.includes(name));
    return free.find((name) => name === preferred) ?? free[0];
  };
  const shown = roles.measures
    .map(({ field }) => field)
    .filter((field) => columns.some((column) => column.name === field && isNumeric(column.type)));
  const first = pick('measure', undefined, roles.category === undefined ? [] : [roles.category]);
  const measures = shown.length > 0 ? shown : first === undefined ? [] : [first];
  const names = columns.map(({ name }) => name);
  const labels = columns.filter(({ type }) => !isNumeric(type)).map(({ name }) => name);
  const category = [roles.category, ...labels, ...names].find(
    (name) => name !== undefined && names.includes(name) && name !== measures[0],
  );
  return { before, category: category ?? names[0], split: roles.split, measures, pick };
}
