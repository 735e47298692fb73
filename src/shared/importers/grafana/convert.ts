import { maxTextLength } from '../../content-widgets/content-widgets.ts';
import { t } from '../../language/messages.ts';
import { sectionWidgetId, tabWidgetId } from '../../sections/structure.ts';
import type { Layout } from '../../grid/layout.ts';
import {
  documentId,
  ImportError,
  maxPanels,
  NotConvertible,
  Notes,
  placeholderText,
  shorten,
  Sources,
  type Conversion,
  type ConvertedReport,
  type ConvertedWidget,
  type SourceChoices,
} from '../conversion.ts';
import { fieldsIn, own, textIn } from '../values.ts';
import { filterWidget } from './filters.ts';
import type { GrafanaDashboard, Group, Panel, Target, Variable } from './model.ts';
import { convertQuery, type QueryContext } from './queries.ts';
import { visualizationOf } from './visualizations.ts';
import { placeAll } from '../grid.ts';
import { divide, textOfHtml, withFilterValues } from './widgets.ts';

interface Converting extends QueryContext {
  readonly notes: Notes;
  readonly sources: Sources;
  readonly reports: ConvertedReport[];
  readonly widgets: ConvertedWidget[];
  readonly ids: Set<string>;
}

/** Returns the documents of a dashboard of Grafana, and what was lost. A panel whose source isn't chosen becomes a text. */
export function convertGrafana(dashboard: GrafanaDashboard, choices: SourceChoices): Conversion {
  // Each query becomes a report.
  const panelCount = dashboard.groups
    .flatMap(({ panels }) => panels)
    .reduce((sum, { targets }) => sum + Math.max(1, Math.min(maxQueries, targets.length)), 0);
  if (panelCount > maxPanels)
    throw new ImportError(t('The dashboard has more than {count} panels and queries.', { count: maxPanels }));
  const converting: Converting = {
    dashboard,
    variables: variablesByName(dashboard.variables),
    sourceOf: (name) => choices.get(name),
    notes: new Notes(),
    sources: new Sources(),
    reports: [],
    widgets: [],
    ids: new Set(),
  };
  addGroups(converting);
  noteLosses(converting);
  const filters = filterWidget(dashboard, converting);
  const widgets = filters === undefined ? converting.widgets : [...converting.widgets, filters];
  const { notes, sources, reports } = converting;
  const { uid, title, description } = dashboard;
  return {
    sources: sources.list(),
    documents: [
      ...reports,
      {
        format: 'atrium.dashboard/1',
        id: documentId('grafana', uid),
        name: shorten(title, 200),
        ...(description !== undefined && { description: shorten(description, 10_000) }),
        widgets,
      },
    ],
    notes: notes.items,
    noteCount: notes.count,
  };
}

/** Names that parameters can have, apart from those of the time range. */
function variablesByName(variables: readonly Variable[]): ReadonlyMap<string, Variable> {
  const taken = new Set(['time', 'time_from', 'time_to']);
  const byName = new Map<string, Variable>();
  for (const variable of variables.slice(0, 200)) {
    if (byName.has(variable.name)) continue;
    let name = /^\d/.test(variable.name) ? `_${variable.name}` : variable.name;
    name = name.slice(0, 50);
    while (taken.has(name)) name = `${name}_`;
    taken.add(name);
    byName.set(variable.name, { ...variable, name });
  }
  return byName;
}

function addGroups(converting: Converting): void {
  const tabs = new Map<string, string>();
  for (const [index, group] of converting.dashboard.groups.entries()) {
    const { tab, section, panels } = group;
    let parent: string | undefined;
    if (tab !== undefined) {
      parent = tabs.get(tab) ?? `tab-${tabs.size + 1}`;
      if (!tabs.has(tab)) {
        tabs.set(tab, parent);
        const config = { key: parent, title: shorten(tab, 200) };
        addContainer(tabWidgetId, tabs.size, config, converting);
      }
    }
    if (section !== undefined) {
      const key = `row-${index + 1}`;
      addContainer(sectionWidgetId, index, sectionConfig(key, section, parent, converting), converting);
      parent = key;
    }
    for (const [at, layout] of placeAll(
      panels.map(({ place }) => place),
      rowPixels,
    ).entries()) {
      const panel = panels[at];
      if (panel !== undefined) addPanel(panel, layout, parent, converting);
    }
  }
}

function sectionConfig(
  key: string,
  { title, isCollapsed, repeat }: NonNullable<Group['section']>,
  parent: string | undefined,
  { variables }: Converting,
): Record<string, unknown> {
  const repeated = repeat === undefined ? undefined : variables.get(repeat);
  return {
    key,
    title: shorten(withFilterValues(title, variables), 200),
    ...(parent !== undefined && { parent }),
    ...(isCollapsed && { isCollapsed }),
    ...(repeated !== undefined && { repeat: { filter: repeated.name } }),
  };
}

function addContainer(
  reportId: string,
  y: number,
  config: Record<string, unknown>,
  { dashboard, widgets }: Converting,
): void {
  const id = documentId('grafana', dashboard.uid, 'container', String(config['key']));
  widgets.push({ id, reportId, layout: { x: 0, y, w: 12, h: 1 }, config });
}

function addPanel(panel: Panel, layout: Layout, parent: string | undefined, converting: Converting): void {
  const title = withFilterValues(panel.title, converting.variables);
  const note = (what: string) => converting.notes.add(panel.title, what);
  notePanelLosses(panel, note);
  const shown: Shown = { panel, title, parent, note, converting };
  if (panel.type === 'text' || panel.type === 'text2') {
    addText(textOf(panel, converting, note), 0, layout, shown);
    return;
  }
  const targets = panel.targets.filter(({ isHidden }) => !isHidden);
  if (targets.length < panel.targets.length) note(t('Its hidden queries were dropped.'));
  if (targets.length === 0) {
    addLost(lossOf(panel), undefined, 0, layout, shown);
    return;
  }
  const count = Math.min(targets.length, maxQueries);
  if (count > 1)
    note(t('Its {count} queries became a widget each, since a report has one query.', { count }));
  for (const [index, place] of divide(layout, count).entries()) {
    const target = targets[index];
    if (target !== undefined) addTarget(target, index, place, count, shown);
  }
  if (targets.length > count)
    note(t('Only its first {count} queries were converted.', { count: maxQueries }));
}

/** A row of Grafana has 30 pixels and a gap of 8. */
const rowPixels = 38;
const maxQueries = 12;

interface Shown {
  readonly panel: Panel;
  readonly title: string;
  readonly parent: string | undefined;
  readonly note: (what: string) => void;
  readonly converting: Converting;
}

function notePanelLosses(
  { transformations, linkCount, repeat, ownTime, hasAlert, isLibraryPanel }: Panel,
  note: Shown['note'],
): void {
  if (transformations.length > 0)
    note(t('Its transformations were dropped: {names}.', { names: transformations.slice(0, 20).join(', ') }));
  if (linkCount > 0) note(t('Its links were dropped.'));
  if (repeat !== undefined)
    note(t('It was repeated for each value of “{name}”, and is shown once.', { name: repeat }));
  if (ownTime !== undefined)
    note(
      t('It had its own range of time, “{time}”, and now follows the filter of the dashboard.', {
        time: ownTime,
      }),
    );
  if (hasAlert) note(t('Its alert was dropped.'));
  if (isLibraryPanel) note(t('It is a library panel, and no longer changes with its library.'));
}

function textOf({ options, older }: Panel, { variables }: Converting, note: Shown['note']): string {
  const content = textIn(options, 'content') ?? textIn(older, 'content') ?? '';
  const mode = textIn(options, 'mode') ?? textIn(older, 'mode');
  if (mode === 'html') note(t('Its HTML became text.'));
  const text = withFilterValues(mode === 'html' ? textOfHtml(content) : content, variables);
  if (text.length > maxTextLength) note(t('Its text was too long and was cut off.'));
  return shorten(text, maxTextLength);
}

function lossOf({ type, isLibraryPanel }: Panel): string {
  if (isLibraryPanel) return t('The file doesn’t contain this library panel.');
  return t('The panel type “{type}” has no query and no equivalent.', { type });
}

function addTarget(
  { source, query }: Target,
  index: number,
  layout: Layout,
  count: number,
  shown: Shown,
): void {
  const { panel, title, parent, note, converting } = shown;
  const { sources, sourceOf, reports, dashboard } = converting;
  const sql = textIn(query, 'rawSql') ?? textIn(query, 'rawQueryText');
  if (sql === undefined) {
    const type = source.type === '' ? source.name : source.type;
    const reason = t('Queries of the data source “{type}” are not SQL.', { type });
    addLost(reason, JSON.stringify(query, null, 2), index, layout, shown);
    return;
  }
  sources.add(source.name, source.type);
  const chosen = sourceOf(source.name);
  if (chosen === undefined) {
    addLost(t('No data source was chosen for “{name}”.', { name: source.name }), sql, index, layout, shown);
    return;
  }
  try {
    const converted = convertQuery(sql, { ...source, chosen }, converting, note);
    noteDialect(source.type, note);
    const id = idOf('report', index, shown);
    const name = title === '' ? `${dashboard.title} ${panel.key}` : title;
    const reference = textIn(query, 'refId') ?? String(index + 1);
    reports.push({
      format: 'atrium.report/1',
      id,
      name: shorten(count > 1 ? `${shorten(name, 180)} (${shorten(reference, 15)})` : name, 200),
      ...(panel.description !== undefined && { description: shorten(panel.description, 10_000) }),
      dataSource: chosen,
      query: converted.query,
      parameters: converted.parameters,
      visualization: visualizationOf(panel, converted.columns, note),
    });
    const config = { ...(parent !== undefined && { parent }) };
    converting.widgets.push({ id: idOf('widget', index, shown), reportId: id, layout, config });
  } catch (error) {
    if (!(error instanceof NotConvertible)) throw error;
    addLost(error.message, sql, index, layout, shown);
  }
}

const dialects: Readonly<Record<string, string>> = {
  mysql: 'MySQL',
  mssql: 'SQL Server',
  'frser-sqlite-datasource': 'SQLite',
  'grafana-clickhouse-datasource': 'ClickHouse',
  'grafana-snowflake-datasource': 'Snowflake',
  'grafana-bigquery-datasource': 'BigQuery',
};

function noteDialect(type: string, note: Shown['note']): void {
  const dialect = Object.hasOwn(dialects, type) ? dialects[type] : undefined;
  if (dialect !== undefined)
    note(t('Its query is in the SQL of {dialect}. Check that it runs.', { dialect }));
}

/** Adds a text in place of a query, so that nobody misses it. */
function addLost(
  reason: string,
  original: string | undefined,
  index: number,
  layout: Layout,
  shown: Shown,
): void {
  shown.note(t('It was replaced by a text. {reason}', { reason }));
  addText(placeholderText(reason, original), index, layout, shown);
}

function addText(text: string, index: number, layout: Layout, shown: Shown): void {
  const { title, parent, converting } = shown;
  const config = {
    text,
    ...(title !== '' && { title: shorten(title, 200) }),
    ...(parent !== undefined && { parent }),
  };
  converting.widgets.push({ id: idOf('widget', index, shown), reportId: 'builtin:text', layout, config });
}

/** Returns an ID that no other panel has, even if two have the same one in Grafana. */
function idOf(what: string, index: number, { panel, converting }: Shown): string {
  const { dashboard, ids } = converting;
  for (let copy = 0; ; copy += 1) {
    const id = documentId('grafana', dashboard.uid, what, panel.key, String(index), String(copy));
    if (ids.has(id)) continue;
    ids.add(id);
    return id;
  }
}

function noteLosses({ dashboard, notes }: Converting): void {
  const { annotationNames, linkCount, variables, unread } = dashboard;
  for (const { where, what } of unread) notes.add(where, what);
  for (const name of annotationNames) notes.add(name, t('Annotations that come from a query were dropped.'));
  if (linkCount > 0) notes.add('', t('The links of the dashboard were dropped.'));
  for (const { name, type } of variables) {
    if (type === 'adhoc') notes.add(name, t('Ad hoc filters have no equivalent.'));
    if (type === 'datasource')
      notes.add(name, t('A variable can’t choose the data source. Choose it at the import.'));
  }
}

/** Whether this is the JSON of a dashboard of Grafana, also inside of `{"dashboard": …}` or a resource. */
export const isGrafana = (value: unknown): boolean => {
  const spec = own(value, 'spec');
  return (
    Array.isArray(own(value, 'panels')) ||
    Array.isArray(own(value, 'rows')) ||
    own(value, 'elements') !== undefined ||
    (own(value, 'kind') === 'Dashboard' && spec !== undefined) ||
    (own(value, 'dashboard') !== undefined && isGrafana(fieldsIn(value, 'dashboard')))
  );
};
