import type { WidgetResult } from '#contract/dashboards/results.ts';
import type { Reference } from '#shared/content-widgets/references.ts';
import type { DashboardFilter } from '#shared/dashboard-filters/filter-list.ts';
import { filterText } from '#shared/dashboard-filters/filter-text.ts';
import type { GivenValues } from '#shared/dashboard-filters/values.ts';
import { t } from '#shared/language/messages.ts';
import type { ValueFormat } from '#shared/visualizations/format.ts';
import { kindOf } from '../kinds.ts';
import { createFormatter } from '../values/formats.ts';
import { findColumn } from '../values/result-values.ts';

/** A widget whose values texts can refer to. */
export interface ReferencedWidget {
  readonly id: string;
  /** Undefined if it is that of a report that hasn't been loaded. */
  readonly title: string | undefined;
  readonly line: Pick<WidgetResult, 'visualization' | 'result' | 'problem'> | undefined;
}

/** What references in texts can refer to. */
export interface ReferenceContext {
  /** In reading order: a title means the first widget that has it. */
  readonly widgets: readonly ReferencedWidget[];
  readonly filters: readonly DashboardFilter[];
  readonly values: GivenValues;
  /** Whether lines and filters may still arrive. */
  readonly isLoading: boolean;
}

/** What is shown for a reference: its value, or why there is none. */
export type ReferenceValue =
  | { readonly kind: 'value'; readonly text: string }
  | { readonly kind: 'loading' }
  | { readonly kind: 'fault'; readonly message: string };

/** A text can refer to the same value thousands of times, and a value can have megabytes. */
const maxShownLength = 1_000;

/** Returns what a text shows of a value: its beginning, if it is long. */
export const shownValue = (text: string): string =>
  text.length <= maxShownLength ? text : `${text.slice(0, maxShownLength).toWellFormed()}…`;

/** Returns the value of a reference: that of a filter in words, or that of a column in the format of its widget. */
export function valueOfReference(reference: Reference, context: ReferenceContext): ReferenceValue {
  const filter = context.filters.find(({ name }) => name === reference.filter);
  if (filter !== undefined) return { kind: 'value', text: filterText(filter, context.values) };
  for (const { title, column } of reference.columns) {
    const widget = context.widgets.find((each) => each.title === title);
    if (widget !== undefined) return valueOfColumn(widget, title, column, context.isLoading);
  }
  if (context.isLoading) return { kind: 'loading' };
  const [named] = reference.columns;
  if (named !== undefined) return fault(t('There is no widget “{title}”.', { title: named.title }));
  return fault(
    reference.filter === undefined
      ? t('“{source}” is neither a filter nor a widget with a column.', { source: reference.source })
      : t('There is no filter “{filter}”.', { filter: reference.filter }),
  );
}

/**
 * Returns the IDs of the widgets whose results are needed for references: those with the titles, and while one of the titles isn't
 * known, all whose title is that of their report.
 */
export function widgetIdsFor(
  references: readonly Reference[],
  widgets: readonly ReferencedWidget[],
): string[] {
  const byTitle = new Map(widgets.toReversed().map(({ title, id }) => [title, id]));
  const found = references
    .filter(({ columns }) => columns.length > 0)
    .map(({ columns }) => columns.map(({ title }) => byTitle.get(title)).find((id) => id !== undefined));
  const known = new Set(found.flatMap((id) => id ?? []));
  const isComplete = found.every((id) => id !== undefined);
  return widgets
    .filter(({ id, title }) => known.has(id) || (!isComplete && title === undefined))
    .map(({ id }) => id);
}

function valueOfColumn(
  { line }: ReferencedWidget,
  title: string,
  name: string,
  isLoading: boolean,
): ReferenceValue {
  if (line?.result === undefined) {
    return isLoading && line?.problem === undefined
      ? { kind: 'loading' }
      : fault(t('“{title}” has no result.', { title }));
  }
  const column = findColumn(line.result, name);
  if (column === undefined) return fault(t('“{title}” has no column “{name}”.', { title, name }));
  const [row] = line.result.rows;
  if (row === undefined) return fault(t('“{title}” has no rows.', { title }));
  const format = createFormatter(column, formatOf(line.visualization, name));
  return { kind: 'value', text: format(row[column.index]) };
}

/** Returns the format in which a widget shows a column; undefined if it has none of its own. */
function formatOf(visualization: WidgetResult['visualization'], column: string): ValueFormat | undefined {
  if (visualization === undefined) return undefined;
  const shown =
    visualization.kind === 'table'
      ? (visualization.columns ?? [])
      : kindOf(visualization.kind).roles(visualization).measures;
  return shown.find(({ field }) => field === column)?.format;
}

const fault = (message: string): ReferenceValue => ({ kind: 'fault', message });
