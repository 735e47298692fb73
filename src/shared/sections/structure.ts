import { compareReadingOrder, type Layout } from '../grid/layout.ts';

/** The widget that is a tab of a dashboard. */
export const tabWidgetId = 'builtin:tab';
/** The widget that is a section of a dashboard. */
export const sectionWidgetId = 'builtin:section';

/** Whether a widget is a tab or a section: it arranges other widgets, and isn't on their grid. */
export const isContainer = ({ reportId }: { readonly reportId: string }): boolean =>
  reportId === tabWidgetId || reportId === sectionWidgetId;

export interface ArrangedWidget {
  readonly id?: string | undefined;
  readonly reportId: string;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

type PlacedWidget = ArrangedWidget & { readonly layout: Layout };

interface Container<Widget> {
  /** By which widgets name it as their parent, and links refer to it. Different from that of every other tab and section. */
  readonly key: string;
  /** Empty if it has none. */
  readonly title: string;
  /** The widget that it is. */
  readonly widget: Widget;
  /** The widgets on its grid. */
  readonly widgets: readonly Widget[];
}

/** A section: a grid with a title. */
export interface Section<Widget> extends Container<Widget> {
  /** Whether it is collapsed until a reader expands it. */
  readonly isCollapsed: boolean;
  /** The name of the filter for each of whose values it is shown once. */
  readonly repeatedBy?: string;
}

export interface Tab<Widget> extends Container<Widget> {
  readonly sections: readonly Section<Widget>[];
}

/** The widgets of a dashboard as they are read: a grid and the sections below it, then the tabs, each with the same. */
export interface Structure<Widget> {
  readonly widgets: readonly Widget[];
  readonly sections: readonly Section<Widget>[];
  readonly tabs: readonly Tab<Widget>[];
}

/** The parent of widgets that are in no tab and in no section. */
export const topLevel = '';

const maxKeyLength = 64;
/** The longest title of a tab or section, in UTF-16 code units. */
export const maxTitleLength = 200;

/** Returns the key of each tab and section: its own, unless it isn't valid or an earlier one has it. */
export function keysOf<Widget extends ArrangedWidget>(widgets: readonly Widget[]): Map<Widget, string> {
  const keys = new Map<Widget, string>();
  const taken = new Set<string>();
  const containers = widgets.filter(isContainer);
  for (const widget of containers) {
    const key = ownKeyOf(widget);
    if (key === undefined || taken.has(key)) continue;
    keys.set(widget, key);
    taken.add(key);
  }
  for (const [index, widget] of containers.entries()) {
    if (keys.has(widget)) continue;
    let key = widget.id ?? `unnamed-${index}`;
    while (taken.has(key)) key = `${key}-${index}`;
    keys.set(widget, key);
    taken.add(key);
  }
  return keys;
}

const ownKeyOf = ({ config }: ArrangedWidget): string | undefined => {
  const key = config?.['key'];
  return typeof key === 'string' && key !== topLevel && key.length <= maxKeyLength ? key : undefined;
};

/**
 * Returns the key of the tab or section that each widget is in. A widget can be in either, a section only in a tab. Everything
 * else is at the top level: a widget whose parent doesn't exist is never lost.
 */
export function parentsOf<Widget extends ArrangedWidget>(widgets: readonly Widget[]): Map<Widget, string> {
  return findParents(widgets, keysOf(widgets));
}

function findParents<Widget extends ArrangedWidget>(
  widgets: readonly Widget[],
  keys: ReadonlyMap<Widget, string>,
): Map<Widget, string> {
  const reportIds = new Map([...keys].map(([{ reportId }, key]) => [key, reportId]));
  return new Map(
    widgets.map((widget) => {
      const parent = widget.config?.['parent'];
      const reportId = typeof parent === 'string' ? reportIds.get(parent) : undefined;
      const fits =
        widget.reportId === tabWidgetId
          ? false
          : widget.reportId === sectionWidgetId
            ? reportId === tabWidgetId
            : reportId !== undefined;
      // Sound because only a text has a report ID.
      return [widget, fits ? (parent as string) : topLevel];
    }),
  );
}

/** Returns the widgets of a dashboard by tabs and sections. Tabs, sections and the widgets on each grid are in reading order. */
export function structureOf<Widget extends PlacedWidget>(widgets: readonly Widget[]): Structure<Widget> {
  const keys = keysOf(widgets);
  const parents = findParents(widgets, keys);
  const inOrder = widgets.toSorted((one, other) => compareReadingOrder(one.layout, other.layout));
  const parentOf = (widget: Widget) => parents.get(widget) ?? topLevel;
  const onGrids = Map.groupBy(
    inOrder.filter((widget) => !isContainer(widget)),
    parentOf,
  );
  const sections = Map.groupBy(
    inOrder.filter(({ reportId }) => reportId === sectionWidgetId),
    parentOf,
  );
  const containerOf = (widget: Widget): Container<Widget> => {
    const key = keys.get(widget) ?? '';
    return { key, title: containerTitleOf(widget), widget, widgets: onGrids.get(key) ?? [] };
  };
  const sectionsIn = (parent: string): Section<Widget>[] =>
    (sections.get(parent) ?? []).map((widget) => ({ ...containerOf(widget), ...sectionSettingsOf(widget) }));
  return {
    widgets: onGrids.get(topLevel) ?? [],
    sections: sectionsIn(topLevel),
    tabs: inOrder
      .filter(({ reportId }) => reportId === tabWidgetId)
      .map((widget) => {
        const tab = containerOf(widget);
        return { ...tab, sections: sectionsIn(tab.key) };
      }),
  };
}

/** Returns all widgets but the tabs and sections themselves, in the order in which they are read. */
export const widgetsInOrder = <Widget>({ widgets, sections, tabs }: Structure<Widget>): Widget[] => [
  ...widgets,
  ...sections.flatMap((section) => section.widgets),
  ...tabs.flatMap((tab) => [...tab.widgets, ...tab.sections.flatMap((section) => section.widgets)]),
];

/** Returns the title of a tab or section; empty if it has none. */
export function containerTitleOf({ config }: Pick<ArrangedWidget, 'config'>): string {
  const title = config?.['title'];
  return typeof title === 'string' ? title.trim().slice(0, maxTitleLength).toWellFormed() : '';
}

/** Returns whether a section is collapsed at first, and the name of the filter that it is repeated by. */
export function sectionSettingsOf({
  config,
}: Pick<ArrangedWidget, 'config'>): Pick<Section<unknown>, 'isCollapsed'> & { readonly repeatedBy?: string } {
  const repeat = config?.['repeat'];
  const filter =
    typeof repeat === 'object' && repeat !== null && 'filter' in repeat ? repeat.filter : undefined;
  return {
    isCollapsed: config?.['isCollapsed'] === true,
    ...(typeof filter === 'string' && filter !== '' && { repeatedBy: filter }),
  };
}
