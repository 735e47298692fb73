import { fieldsIn, listIn, numberIn, objectsIn, own, textIn, type Fields } from '../values.ts';
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

/** Reads a dashboard with `panels`, or with `rows` in versions before 5. */
export function readClassic(dashboard: Fields): GrafanaDashboard {
  const inputs = new Map(
    objectsIn(dashboard, '__inputs').flatMap((input) => {
      const name = textIn(input, 'name');
      const type = textIn(input, 'pluginId') ?? '';
      return name === undefined ? [] : [[name, { name: textIn(input, 'label') ?? name, type }] as const];
    }),
  );
  const time = fieldsIn(dashboard, 'time');
  const title = textIn(dashboard, 'title') ?? 'Dashboard';
  return {
    uid: textIn(dashboard, 'uid') ?? title,
    title,
    description: textIn(dashboard, 'description'),
    from: textIn(time, 'from'),
    to: textIn(time, 'to'),
    variables: objectsIn(fieldsIn(dashboard, 'templating'), 'list').flatMap(
      (settings) =>
        readVariable(
          textIn(settings, 'type') ?? 'query',
          settings,
          sourceOf(own(settings, 'datasource'), noSource, inputs),
        ) ?? [],
    ),
    groups: readGroups(dashboard, (panel, index, place) => readPanel(panel, index, place, inputs)),
    annotationNames: annotationNames(objectsIn(fieldsIn(dashboard, 'annotations'), 'list')),
    linkCount: listIn(dashboard, 'links').length,
    unread: unreadSettings(dashboard, own(dashboard, 'refresh')),
  };
}

type ToPanel = (panel: Fields, index: number, place?: Panel['place']) => Panel;

function readGroups(dashboard: Fields, toPanel: ToPanel): Group[] {
  const rows = objectsIn(dashboard, 'rows');
  const panels = objectsIn(dashboard, 'panels');
  if (panels.length === 0 && rows.length > 0) return readOldRows(rows, toPanel);
  const groups: { section?: Group['section']; panels: Panel[] }[] = [{ panels: [] }];
  let index = 0;
  const sorted = panels.toSorted((one, other) => {
    const [from, to] = [placeOf(one), placeOf(other)];
    return from.y - to.y || from.x - to.x;
  });
  for (const panel of sorted) {
    if (textIn(panel, 'type') === 'row') {
      const inside = objectsIn(panel, 'panels').map((each) => toPanel(each, (index += 1)));
      groups.push({ section: sectionOf(panel, own(panel, 'collapsed') === true), panels: inside });
    } else groups.at(-1)?.panels.push(toPanel(panel, (index += 1)));
  }
  return groups.map(({ section, panels: inside }) => ({ ...(section && { section }), panels: inside }));
}

/** Rows of older versions had panels with a `span` of 12 columns and a height in pixels. */
function readOldRows(rows: readonly Fields[], toPanel: ToPanel): Group[] {
  let index = 0;
  return rows.map((row) => {
    const rowHeight = heightOf(own(row, 'height')) ?? 8;
    let x = 0;
    let y = 0;
    const panels = objectsIn(row, 'panels').map((panel) => {
      const w = Math.round(Math.min(12, Math.max(1, numberIn(panel, 'span') ?? 12))) * 2;
      if (x + w > 24) {
        x = 0;
        y += rowHeight;
      }
      const place = { x, y, w, h: rowHeight };
      x += w;
      return toPanel(panel, (index += 1), place);
    });
    const hasTitle = own(row, 'showTitle') === true || own(row, 'collapse') === true;
    return hasTitle ? { section: sectionOf(row, own(row, 'collapse') === true), panels } : { panels };
  });
}

function heightOf(height: unknown): number | undefined {
  const pixels = typeof height === 'number' ? height : Number.parseInt(String(height), 10);
  return Number.isFinite(pixels) ? Math.min(40, Math.max(2, Math.round(pixels / 38))) : undefined;
}

const sectionOf = (row: Fields, isCollapsed: boolean): NonNullable<Group['section']> => ({
  title: textIn(row, 'title') ?? '',
  isCollapsed,
  repeat: textIn(row, 'repeat'),
});

function placeOf(panel: Fields): Panel['place'] {
  const place = fieldsIn(panel, 'gridPos');
  return {
    x: numberIn(place, 'x') ?? 0,
    y: numberIn(place, 'y') ?? 0,
    w: numberIn(place, 'w') ?? 12,
    h: numberIn(place, 'h') ?? 8,
  };
}

function readPanel(
  panel: Fields,
  index: number,
  place: Panel['place'] | undefined,
  inputs: ReadonlyMap<string, Target['source']>,
): Panel {
  const source = sourceOf(own(panel, 'datasource'), noSource, inputs);
  const fieldConfig = fieldsIn(panel, 'fieldConfig');
  const defaults = fieldsIn(fieldConfig, 'defaults');
  const id = numberIn(panel, 'id');
  const options = fieldsIn(panel, 'options');
  return {
    key: id === undefined ? `#${index}` : `${id}`,
    title: textIn(panel, 'title') ?? '',
    description: textIn(panel, 'description'),
    type: textIn(panel, 'type') ?? '',
    place: place ?? placeOf(panel),
    targets: objectsIn(panel, 'targets').map((target) => ({
      source: sourceOf(own(target, 'datasource'), source, inputs),
      query: target,
      isHidden: own(target, 'hide') === true,
    })),
    options,
    defaults,
    overrides: objectsIn(fieldConfig, 'overrides'),
    older: panel,
    transformations: transformationNames(panel, 'transformations'),
    linkCount: countLinks(panel, defaults),
    repeat: textIn(panel, 'repeat'),
    ownTime: ownTimeOf(panel),
    hasAlert: own(panel, 'alert') !== undefined,
    isLibraryPanel: own(panel, 'libraryPanel') !== undefined,
  };
}
