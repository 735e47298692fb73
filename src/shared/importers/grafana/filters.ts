import { t } from '../../language/messages.ts';
import { filterWidgetId } from '../../dashboard-filters/definitions.ts';
import { documentId, type ConvertedReport, type ConvertedWidget, type Notes } from '../conversion.ts';
import { rangeOf } from './intervals.ts';
import { timeFilter } from './macros.ts';
import type { GrafanaDashboard, Variable } from './model.ts';

interface Converted {
  readonly variables: ReadonlyMap<string, Variable>;
  readonly reports: readonly ConvertedReport[];
  readonly notes: Notes;
}

/** Returns the widget with the filters of the reports' parameters; undefined if they have none. */
export function filterWidget(
  dashboard: GrafanaDashboard,
  { variables, reports, notes }: Converted,
): ConvertedWidget | undefined {
  const used = new Set(reports.flatMap(({ parameters }) => parameters.map(({ name }) => name)));
  const filters: object[] = [];
  if (used.has(`${timeFilter}_from`)) filters.push(timeFilterOf(dashboard, notes));
  for (const variable of variables.values())
    if (used.has(variable.name)) filters.push(filterOf(variable));
    else if (['query', 'custom', 'textbox'].includes(variable.type))
      notes.add(
        variable.name,
        t('No converted query uses this variable as a value, so it did not become a filter.'),
      );
  if (filters.length === 0) return undefined;
  return {
    id: documentId('grafana', dashboard.uid, 'filters'),
    reportId: filterWidgetId,
    layout: { x: 0, y: 0, w: 0, h: 0 },
    config: { appliesTogether: false, filters: filters.slice(0, 50) },
  };
}

function timeFilterOf({ from, to }: GrafanaDashboard, notes: Notes): object {
  const range = rangeOf(from, to);
  if (range === undefined)
    notes.add('', t('The time range “{range}” has no equivalent.', { range: `${from ?? ''} … ${to ?? ''}` }));
  else if (!range.isSame)
    notes.add(
      '',
      t('Ranges of time are whole days here: “{range}” became “{days}”.', {
        range: `${from ?? ''} … ${to ?? ''}`,
        days: range.value,
      }),
    );
  return {
    name: timeFilter,
    label: t('Time range'),
    kind: 'date_range',
    ...(range !== undefined && { default: range.value }),
  };
}

function filterOf({ name, label, type, isMulti, values, options }: Variable): object {
  const present = values.filter((value) => value !== '$__all' && value !== '');
  const isListed = type === 'query' || options.length > 0;
  return {
    name,
    ...(label !== undefined && { label: label.slice(0, 200) }),
    kind: isMulti ? 'list' : isListed && type !== 'textbox' ? 'select' : 'text',
    ...(present.length > 0 && { default: isMulti ? present : present[0] }),
    ...(type === 'custom' && options.length > 0 && { values: { fixed: options } }),
  };
}
