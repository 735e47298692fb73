import { objectIn } from '../../dashboard-filters/definitions.ts';
import { t } from '../../language/messages.ts';
import type { Note } from '../conversion.ts';
import { fieldsIn, numberIn, objectsIn, own, textIn, type Fields } from '../values.ts';
import type { GrafanaDashboard, Group, Panel, Target } from './model.ts';
import {
  annotationNames,
  countLinks,
  noSource,
  ownTimeOf,
  readVariable,
  sourceOf,
  transformationNames,
  unreadSettings,
} from './read-parts.ts';

const noInputs: ReadonlyMap<string, Target['source']> = new Map();

/** Reads the `spec` of a dashboard of schema v2, with `elements` and a `layout`. */
export function readLayouts(spec: Fields, uid: string | undefined): GrafanaDashboard {
  const title = textIn(spec, 'title') ?? 'Dashboard';
  const time = fieldsIn(spec, 'timeSettings');
  const reading: Reading = { elements: fieldsIn(spec, 'elements'), groups: [], used: new Set(), unread: [] };
  collect(fieldsIn(spec, 'layout'), reading, {}, 0);
  const { elements, groups, used, unread } = reading;
  for (const name of Object.keys(elements).filter((each) => !used.has(each))) {
    const where = textIn(fieldsIn(fieldsIn(elements, name), 'spec'), 'title') ?? name;
    unread.push({ where, what: t('The layout doesn’t show it, so it was dropped.') });
  }
  return {
    uid: uid ?? title,
    title,
    description: textIn(spec, 'description'),
    from: textIn(time, 'from'),
    to: textIn(time, 'to'),
    variables: objectsIn(spec, 'variables').flatMap(
      (variable) => readSpecVariable(textIn(variable, 'kind') ?? '', fieldsIn(variable, 'spec')) ?? [],
    ),
    groups,
    annotationNames: annotationNames(objectsIn(spec, 'annotations').map((each) => fieldsIn(each, 'spec'))),
    linkCount: objectsIn(spec, 'links').length,
    unread: [...unread, ...unreadSettings(spec, own(time, 'autoRefresh'))],
  };
}

/** Such as `QueryVariable`, whose query is `{kind, group, datasource, spec}`. */
function readSpecVariable(kind: string, settings: Fields): ReturnType<typeof readVariable> {
  const type = kind === 'TextVariable' ? 'textbox' : kind.replace(/Variable$/, '').toLowerCase();
  const query = fieldsIn(settings, 'query');
  return readVariable(type, settings, querySource(query, own(settings, 'datasource')));
}

interface Reading {
  readonly elements: Fields;
  readonly groups: Group[];
  readonly used: Set<string>;
  readonly unread: Note[];
}

/** Tabs and rows nest in Grafana, and here there are sections in tabs. */
const maxDepth = 8;

function collect(layout: Fields, reading: Reading, inside: Omit<Group, 'panels'>, depth: number): void {
  if (depth > maxDepth) return;
  const spec = fieldsIn(layout, 'spec');
  for (const tab of objectsIn(spec, 'tabs')) {
    const settings = fieldsIn(tab, 'spec');
    const tabTitle = textIn(settings, 'title') ?? '';
    noteCondition(settings, tabTitle, reading);
    if (own(settings, 'repeat') !== undefined)
      reading.unread.push({ where: tabTitle, what: t('The tab was repeated, and is shown once.') });
    const place =
      inside.tab === undefined && inside.section === undefined
        ? { tab: tabTitle }
        : { ...inside, section: { title: tabTitle, isCollapsed: false, repeat: undefined } };
    collect(fieldsIn(settings, 'layout'), reading, place, depth + 1);
  }
  for (const row of objectsIn(spec, 'rows')) {
    const settings = fieldsIn(row, 'spec');
    noteCondition(settings, textIn(settings, 'title') ?? '', reading);
    const section = {
      title: textIn(settings, 'title') ?? '',
      isCollapsed: own(settings, 'collapse') === true,
      repeat: textIn(fieldsIn(settings, 'repeat'), 'value'),
    };
    collect(fieldsIn(settings, 'layout'), reading, { ...inside, section }, depth + 1);
  }
  const items = objectsIn(spec, 'items');
  if (items.length === 0) return;
  const columns = Math.min(6, Math.max(1, Math.round(numberIn(spec, 'maxColumnCount') ?? 3)));
  const panels: Panel[] = [];
  for (const [index, item] of items.entries()) {
    const settings = fieldsIn(item, 'spec');
    if (textIn(item, 'kind') === 'GridLayoutRow') {
      const section = {
        title: textIn(settings, 'title') ?? '',
        isCollapsed: own(settings, 'collapsed') === true,
        repeat: textIn(fieldsIn(settings, 'repeat'), 'value'),
      };
      const elements = { spec: { items: own(settings, 'elements') } };
      collect(elements, reading, { ...inside, section }, depth + 1);
      continue;
    }
    const w = Math.floor(24 / columns);
    const isAuto = textIn(item, 'kind') === 'AutoGridLayoutItem';
    const place = isAuto
      ? { x: (index % columns) * w, y: Math.floor(index / columns) * 9, w, h: 9 }
      : {
          x: numberIn(settings, 'x') ?? 0,
          y: numberIn(settings, 'y') ?? 0,
          w: numberIn(settings, 'width') ?? 12,
          h: numberIn(settings, 'height') ?? 8,
        };
    const name = textIn(fieldsIn(settings, 'element'), 'name');
    if (name !== undefined) panels.push(...readElement(name, place, settings, reading));
  }
  // Ahead of the sections that this grid has, which are below it.
  reading.groups.splice(inside.section === undefined ? firstOfTab(reading.groups, inside.tab) : Infinity, 0, {
    ...inside,
    panels,
  });
}

/** Notes that a tab, a row or a panel was only shown under a condition. */
function noteCondition(settings: Fields, where: string, { unread }: Reading): void {
  if (objectsIn(fieldsIn(fieldsIn(settings, 'conditionalRendering'), 'spec'), 'items').length > 0)
    unread.push({ where, what: t('It was only shown under a condition, and is always shown.') });
}

function firstOfTab(groups: readonly Group[], tab: string | undefined): number {
  const index = groups.findIndex((group) => group.tab === tab);
  return index === -1 ? groups.length : index;
}

function readElement(name: string, place: Panel['place'], item: Fields, reading: Reading): Panel[] {
  const { elements, used } = reading;
  const element = objectIn(own(elements, name));
  if (element === undefined || used.has(name)) return [];
  used.add(name);
  const spec = fieldsIn(element, 'spec');
  const data = fieldsIn(fieldsIn(spec, 'data'), 'spec');
  const config = fieldsIn(spec, 'vizConfig');
  const settings = fieldsIn(config, 'spec');
  const fieldConfig = fieldsIn(settings, 'fieldConfig');
  const defaults = fieldsIn(fieldConfig, 'defaults');
  const options = fieldsIn(settings, 'options');
  noteCondition(item, textIn(spec, 'title') ?? name, reading);
  return [
    {
      key: name,
      title: textIn(spec, 'title') ?? '',
      description: textIn(spec, 'description'),
      type: textIn(config, 'group') ?? textIn(config, 'kind') ?? '',
      place,
      targets: objectsIn(data, 'queries').map((each) => {
        const query = fieldsIn(fieldsIn(each, 'spec'), 'query');
        return {
          source: querySource(query, own(fieldsIn(each, 'spec'), 'datasource')),
          query: fieldsIn(query, 'spec'),
          isHidden: own(fieldsIn(each, 'spec'), 'hidden') === true,
        };
      }),
      options,
      defaults,
      overrides: objectsIn(fieldConfig, 'overrides'),
      older: options,
      transformations: transformationNames(data, 'transformations'),
      linkCount: countLinks(spec, defaults),
      repeat: textIn(fieldsIn(item, 'repeat'), 'value'),
      ownTime: ownTimeOf(fieldsIn(data, 'queryOptions')),
      hasAlert: false,
      isLibraryPanel: textIn(element, 'kind') === 'LibraryPanel',
    },
  ];
}

/** A query names its source itself (`group`, and `datasource.name`); in v2alpha1, what has the query names it. */
function querySource(query: Fields, former: unknown): Target['source'] {
  const kind = textIn(query, 'kind');
  const type = textIn(query, 'group') ?? (kind === 'DataQuery' ? undefined : kind) ?? '';
  const source = sourceOf(own(query, 'datasource') ?? former, { ...noSource, type }, noInputs);
  const name = source.name === noSource.name && type !== '' ? type : source.name;
  return { name, type: source.type === '' ? type : source.type };
}
