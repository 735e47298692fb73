import { hashKey } from '@tanstack/react-query';
import type { Dashboard, DashboardEdit, Widget, WidgetLayout } from '#contract/dashboards/dashboards.ts';
import { contentKindOf } from '#shared/content-widgets/content-widgets.ts';
import { newWidgetSize } from '#shared/grid/layout.ts';
import { withVisibleLayouts } from '#shared/grid/visible-layouts.ts';
import { isContainer, parentsOf, topLevel } from '#shared/sections/structure.ts';
import { firstFreeSlot, withoutGaps } from '../grid/slots.ts';
import { moveAndPush, type Placed } from '../grid/widget-pushing.ts';
import { onGrid, parentOf } from './grids.ts';

/** A widget of a draft. A widget that was never saved has no ID; its key identifies it within the draft. */
export interface DraftWidget extends Placed, Readonly<Omit<Widget, 'id' | 'layout'>> {
  readonly id?: string;
}

/** The editable content of a dashboard. An empty description means none. */
export interface DraftContent {
  readonly name: string;
  readonly description: string;
  readonly widgets: readonly DraftWidget[];
}

/** The smallest size that people can give a widget. Smaller stored widgets keep their size. */
const minSize = { w: 2, h: 2 } as const;
const minContentSize = { w: 2, h: 1 } as const;

export const minSizeOf = (widget: Pick<DraftWidget, 'reportId'>): Pick<WidgetLayout, 'w' | 'h'> =>
  contentKindOf(widget) === undefined ? minSize : minContentSize;

export const contentOf = ({
  name,
  description = '',
  widgets,
}: Pick<Dashboard, 'name' | 'description' | 'widgets'>): DraftContent => ({
  name,
  description,
  widgets: widgets.map((widget) => ({ ...widget, key: widget.id })),
});

/** Returns the request body that saves the content. */
export const editOf = ({ name, description, widgets }: DraftContent): DashboardEdit => ({
  name,
  ...(description !== '' && { description }),
  widgets: widgets.map(({ key: _key, ...widget }) => widget),
});

/** Whether two contents are saved as the same, in whatever order their members are. */
export const isSameContent = (one: DraftContent, other: DraftContent): boolean =>
  one === other || hashKey([editOf(one)]) === hashKey([editOf(other)]);

/** Moves or resizes a widget on its grid. Widgets that don't move keep the layout that is stored. */
export function moveWidget(content: DraftContent, key: string, target: WidgetLayout): DraftContent {
  const widgets = onGrid(content.widgets, parentOf(content.widgets, key), (onGrid) =>
    moveAmong(onGrid, key, target),
  );
  return widgets === content.widgets ? content : { ...content, widgets };
}

function moveAmong(onGrid: readonly DraftWidget[], key: string, target: WidgetLayout): DraftWidget[] {
  const visible = withVisibleLayouts(onGrid);
  const before = new Map(visible.map((widget) => [widget.key, widget.layout]));
  const after = new Map(moveAndPush(visible, key, target).map((widget) => [widget.key, widget.layout]));
  return onGrid.map((widget) => {
    const layout = after.get(widget.key) ?? widget.layout;
    return isSameLayout(layout, before.get(widget.key) ?? layout) ? widget : { ...widget, layout };
  });
}

/** Adds a widget of a report in the first free slot of a grid: that of a tab or section, or that of the top level. */
export function addWidget(
  content: DraftContent,
  key: string,
  reportId: string,
  size: Pick<WidgetLayout, 'w' | 'h'> = newWidgetSize,
  parent: string = topLevel,
): DraftContent {
  const widgets = onGrid(content.widgets, parent, (onGrid) => {
    const layout = freeSlotOn(onGrid, size);
    return [...onGrid, { key, reportId, layout, config: {} }];
  });
  return { ...content, widgets };
}

/** Sets what a widget without a report shows. */
export const setContent = (
  content: DraftContent,
  key: string,
  config: Readonly<Record<string, unknown>>,
): DraftContent => ({
  ...content,
  // Its tab or section stays.
  widgets: content.widgets.map((widget) =>
    widget.key === key ? { ...widget, config: { ...parentIn(widget), ...config } } : widget,
  ),
});

const parentIn = ({ config }: DraftWidget): DraftWidget['config'] =>
  config['parent'] === undefined ? {} : { parent: config['parent'] };

/** Returns the first free place of a size among the widgets of a grid. */
export const freeSlotOn = (
  onGrid: readonly DraftWidget[],
  size: Pick<WidgetLayout, 'w' | 'h'>,
): WidgetLayout =>
  firstFreeSlot(
    withVisibleLayouts(onGrid).map(({ layout }) => layout),
    size,
  );

/** Closes the gaps between the widgets of each grid. */
export function tidyUp(content: DraftContent): DraftContent {
  const parents = parentsOf(content.widgets);
  const onGrids = content.widgets.filter((widget) => !isContainer(widget));
  const layouts = new Map(
    [...Map.groupBy(onGrids, (widget) => parents.get(widget)).values()].flatMap((onGrid) =>
      withoutGaps(withVisibleLayouts(onGrid)).map(({ key, layout }) => [key, layout] as const),
    ),
  );
  const widgets = content.widgets.map((widget) => ({
    ...widget,
    layout: layouts.get(widget.key) ?? widget.layout,
  }));
  return { ...content, widgets };
}

/** Adds a copy of a widget directly below it. The widgets there move down. */
export function duplicateWidget(content: DraftContent, key: string, newKey: string): DraftContent {
  const parent = parentOf(content.widgets, key);
  const widgets = onGrid(content.widgets, parent, (onGrid) => {
    const widget = onGrid.find((each) => each.key === key);
    const layout = withVisibleLayouts(onGrid).find((each) => each.key === key)?.layout;
    if (widget === undefined || layout === undefined) return onGrid;
    // Added at the end first, so that moving it pushes the others down.
    const copy = { ...withoutId(widget), key: newKey, layout: { ...layout, y: endOfGrid(onGrid) } };
    return moveAmong([...onGrid, copy], newKey, { ...layout, y: layout.y + layout.h });
  });
  return { ...content, widgets };
}

export const removeWidget = (content: DraftContent, key: string): DraftContent => ({
  ...content,
  widgets: content.widgets.filter((widget) => widget.key !== key),
});

/** Changes parts of a widget, and its title. With an empty title, it shows that of its report. */
export const changeWidget = (
  content: DraftContent,
  key: string,
  { title, ...parts }: Partial<DraftWidget> & { readonly title: string },
): DraftContent => ({
  ...content,
  widgets: content.widgets.map((widget) => {
    if (widget.key !== key) return widget;
    const others = Object.entries(widget.config).filter(([name]) => name !== 'title');
    const config = Object.fromEntries(title === '' ? others : [...others, ['title', title]]);
    return { ...widget, ...parts, config };
  }),
});

/** Returns a widget without its ID, which makes it a new one. */
export const withoutId = ({ id: _id, ...widget }: DraftWidget): Omit<DraftWidget, 'id'> => widget;

/** Returns the row below the widgets of a grid. */
export const endOfGrid = (onGrid: readonly DraftWidget[]): number =>
  withVisibleLayouts(onGrid).reduce((end, { layout }) => Math.max(end, layout.y + layout.h), 0);

const isSameLayout = (one: WidgetLayout, other: WidgetLayout): boolean =>
  one.x === other.x && one.y === other.y && one.w === other.w && one.h === other.h;
