import { maxHeadingLength, maxTextLength } from '../../content-widgets/content-widgets.ts';
import { filterWidgetId } from '../../dashboard-filters/definitions.ts';
import type { Layout } from '../../grid/layout.ts';
import { t } from '../../language/messages.ts';
import { parameterName } from '../../parameter-values.ts';
import { tabWidgetId } from '../../sections/structure.ts';
import {
  documentId,
  ImportError,
  maxPanels,
  Notes,
  placeholderText,
  shorten,
  Sources,
  type Conversion,
  type ConvertedDashboard,
  type ConvertedWidget,
  type SourceChoices,
} from '../conversion.ts';
import { placeAll } from '../grid.ts';
import {
  fieldsIn,
  hasTooManyValues,
  isNestedTooDeeply,
  listIn,
  numberIn,
  objectsIn,
  own,
  textIn,
  type Fields,
} from '../values.ts';
import { convertQuestion, type Question } from './questions.ts';

/** Whether this is a file of a serialized collection of Metabase. */
export const isMetabase = (value: unknown): boolean => objectsIn(value, 'serdes/meta').length > 0;

/** Returns the documents of the files of a serialized collection. A question that isn't converted is a text on its dashboards. */
export function convertMetabase(files: readonly Fields[], choices: SourceChoices): Conversion {
  if (isNestedTooDeeply(files) || hasTooManyValues(files))
    throw new ImportError(t('The file is nested too deeply.'));
  const notes = new Notes();
  const sources = new Sources();
  const cards = files.filter((file) => modelOf(file) === 'Card');
  const dashboards = files.filter((file) => modelOf(file) === 'Dashboard');
  if (cards.length + dashboards.length > maxPanels)
    throw new ImportError(t('There are more than {count} questions and dashboards.', { count: maxPanels }));
  const questions = new Map<string, Question>();
  for (const card of cards) {
    const id = idOf(card);
    if (!questions.has(id)) questions.set(id, convertQuestion(card, id, { notes, sources, choices }));
  }
  for (const question of questions.values())
    if (!('report' in question))
      notes.add(question.name, t('It didn’t become a report. {reason}', { reason: question.reason }));
  for (const model of new Set(files.map(modelOf)))
    if (!['Card', 'Dashboard', 'Collection', 'Database', 'Table', 'Field'].includes(model))
      notes.add(model, t('Files of this kind were dropped.'));
  const seen = new Set<string>();
  const converted = dashboards.flatMap((dashboard) => {
    const id = idOf(dashboard);
    if (seen.has(id)) return [];
    seen.add(id);
    return [toDashboard(dashboard, id, questions, notes)];
  });
  const reports = [...questions.values()].flatMap((question) =>
    'report' in question ? [question.report] : [],
  );
  return {
    sources: sources.list(),
    documents: [...reports, ...converted],
    notes: notes.items,
    noteCount: notes.count,
  };
}

const modelOf = (file: Fields): string => textIn(objectsIn(file, 'serdes/meta').at(-1), 'model') ?? '';
const idOf = (file: Fields): string => textIn(file, 'entity_id') ?? textIn(file, 'name') ?? '';

/** The rows of Metabase's grid, roughly. */
const rowPixels = 50;

function toDashboard(
  dashboard: Fields,
  id: string,
  questions: ReadonlyMap<string, Question>,
  notes: Notes,
): ConvertedDashboard {
  const name = textIn(dashboard, 'name') ?? id;
  const description = textIn(dashboard, 'description');
  const tabs = objectsIn(dashboard, 'tabs').map((tab, index) => ({
    id: textIn(tab, 'entity_id') ?? '',
    key: `tab-${index + 1}`,
    title: shorten(textIn(tab, 'name') ?? '', 200),
  }));
  const filters = filtersOf(dashboard, name, notes);
  const cards = objectsIn(dashboard, 'dashcards').slice(0, maxPanels);
  const widgets: ConvertedWidget[] = tabs.map(({ key, title }, y) => ({
    id: documentId('metabase', id, key),
    reportId: tabWidgetId,
    layout: { x: 0, y, w: 12, h: 1 },
    config: { key, title },
  }));
  const keyOf = (card: Fields) => {
    const tab = listIn(card, 'dashboard_tab_id').at(-1);
    return tabs.find((each) => each.id === tab)?.key;
  };
  for (const [parent, together] of Map.groupBy(cards, keyOf))
    for (const [index, layout] of placeAll(together.map(placeOf), rowPixels).entries()) {
      const card = together[index];
      if (card === undefined) continue;
      const widget = toWidget(card, questions, { dashboard: name, filters, notes });
      const config = { ...widget.config, ...(parent !== undefined && { parent }) };
      widgets.push({
        id: documentId('metabase', id, 'card', String(cards.indexOf(card))),
        layout,
        reportId: widget.reportId,
        config,
      });
    }
  if (filters.size > 0)
    widgets.push({
      id: documentId('metabase', id, 'filters'),
      reportId: filterWidgetId,
      layout: { x: 0, y: 0, w: 0, h: 0 },
      config: { appliesTogether: false, filters: [...filters.values()] },
    });
  return {
    format: 'atrium.dashboard/1',
    id: documentId('metabase', 'dashboard', id),
    name: shorten(name, 200),
    ...(description !== undefined && { description: shorten(description, 10_000) }),
    widgets,
  };
}

const placeOf = (card: Fields): Layout => ({
  x: numberIn(card, 'col') ?? 0,
  y: numberIn(card, 'row') ?? 0,
  w: numberIn(card, 'size_x') ?? 12,
  h: numberIn(card, 'size_y') ?? 6,
});

interface Placing {
  readonly dashboard: string;
  readonly filters: ReadonlyMap<string, Filter>;
  readonly notes: Notes;
}

interface Filter {
  readonly name: string;
  readonly label: string;
  readonly kind: string;
  readonly default?: string | readonly string[];
}

function filtersOf(dashboard: Fields, where: string, notes: Notes): Map<string, Filter> {
  const filters = new Map<string, Filter>();
  for (const parameter of objectsIn(dashboard, 'parameters').slice(0, 50)) {
    const id = textIn(parameter, 'id') ?? '';
    const slug = textIn(parameter, 'slug') ?? '';
    const name = slug.replaceAll(/\W/g, '_').slice(0, 60);
    const type = textIn(parameter, 'type') ?? '';
    if (!parameterName.test(name) || [...filters.values()].some((each) => each.name === name)) {
      notes.add(where, t('Its filter “{name}” was dropped.', { name: slug }));
      continue;
    }
    const kind =
      type === 'date/single'
        ? 'date'
        : type.startsWith('date')
          ? 'date_range'
          : type.startsWith('boolean')
            ? 'boolean'
            : 'list';
    const preset = defaultOf(own(parameter, 'default'), kind);
    if (preset === undefined && !isEmpty(own(parameter, 'default')))
      notes.add(where, t('The default of its filter “{name}” was dropped.', { name: slug }));
    filters.set(id, {
      name,
      label: shorten(textIn(parameter, 'name') ?? name, 200),
      kind,
      ...(preset !== undefined && { default: preset }),
    });
  }
  return filters;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Returns the default of a list. Periods of time are written in another way. */
function defaultOf(value: unknown, kind: string): string[] | undefined {
  const values = Array.isArray(value) ? value.slice(0, 1_000) : [value];
  const texts = values.filter((each) => typeof each === 'string' || typeof each === 'number').map(String);
  return kind === 'list' && texts.length === values.length && texts.length > 0 ? texts : undefined;
}

function toWidget(
  card: Fields,
  questions: ReadonlyMap<string, Question>,
  { dashboard, filters, notes }: Placing,
): { reportId: string; config: Record<string, unknown> } {
  const settings = fieldsIn(card, 'visualization_settings');
  const display = textIn(fieldsIn(settings, 'virtual_card'), 'display');
  const text = textIn(settings, 'text') ?? '';
  if (display === 'heading')
    return { reportId: 'builtin:heading', config: { text: shorten(text, maxHeadingLength), size: 'medium' } };
  if (display === 'text') return { reportId: 'builtin:text', config: { text: shorten(text, maxTextLength) } };
  const url = textIn(fieldsIn(settings, 'link'), 'url');
  if (display === 'link' && url !== undefined)
    return { reportId: 'builtin:links', config: { links: [{ label: shorten(url, 200), url }] } };
  if (display !== undefined) {
    const reason = t('The widget “{type}” has no equivalent.', { type: display });
    notes.add(dashboard, t('It was replaced by a text. {reason}', { reason }));
    return { reportId: 'builtin:text', config: { text: reason } };
  }
  const title = textIn(settings, 'card.title');
  const question = questions.get(textIn(card, 'card_id') ?? '');
  if (question === undefined || !('report' in question)) {
    const reason = question?.reason ?? t('The export doesn’t contain this question.');
    const where = title ?? question?.name ?? dashboard;
    notes.add(where, t('It was replaced by a text. {reason}', { reason }));
    const config = { text: placeholderText(reason, question?.original), title: shorten(where, 200) };
    return { reportId: 'builtin:text', config };
  }
  const { report } = question;
  if (objectsIn(card, 'series').length > 0)
    notes.add(report.name, t('The series of other questions were dropped.'));
  if (title !== undefined && title !== report.name)
    notes.add(report.name, t('Its title on the dashboard, “{title}”, was dropped.', { title }));
  const targets: Record<string, unknown> = {};
  for (const mapping of objectsIn(card, 'parameter_mappings')) {
    const filter = filters.get(textIn(mapping, 'parameter_id') ?? '');
    if (filter === undefined) continue;
    const tag = tagOf(listIn(mapping, 'target'));
    const parameters = report.parameters.map(({ name }) => name);
    if (tag !== undefined && parameters.some((each) => each === tag || each === `${tag}_from`))
      targets[filter.name] = tag;
    else
      notes.add(
        report.name,
        t('The filter “{name}” doesn’t apply to it: its query has no variable for it.', {
          name: filter.label,
        }),
      );
  }
  return { reportId: report.id, config: Object.keys(targets).length > 0 ? { filters: targets } : {} };
}

/** A target is `["variable", ["template-tag", name]]`, or a column of a built query. */
function tagOf(target: readonly unknown[]): string | undefined {
  const inner = target.find((each) => Array.isArray(each));
  return Array.isArray(inner) && inner[0] === 'template-tag' && typeof inner[1] === 'string'
    ? inner[1]
    : undefined;
}
