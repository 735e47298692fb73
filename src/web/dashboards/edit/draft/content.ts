import { hashKey } from '@tanstack/react-query';
import type { Dashboard, DashboardEdit, Widget, WidgetLayout } from '#contract/dashboards/dashboards.ts';
import { newWidgetSize } from '#shared/grid/layout.ts';
import { withVisibleLayouts } from '#shared/grid/visible-layouts.ts';
import { firstFreeSlot, withoutGaps } from '../grid/slots.ts';
import { moveAndPush, type Placed } from '../grid/widget-pushing.ts';

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
export const minSize = { w: 2, h: 2 } as const;

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

/** Moves or resizes a widget. Widgets that don't move keep the layout that is stored. */
export function moveWidget(content: DraftContent, key: string, target: WidgetLayout): DraftContent {
  const visible = withVisibleLayouts(content.widgets);
  const before = new Map(visible.map((widget) => [widget.key, widget.layout]));
  const after = new Map(moveAndPush(visible, key, target).map((widget) => [widget.key, widget.layout]));
  const widgets = content.widgets.map((widget) => {
    const layout = after.get(widget.key) ?? widget.layout;
    return isSameLayout(layout, before.get(widget.key) ?? layout) ? widget : { ...widget, layout };
  });
  return widgets.every((widget, index) => widget === content.widgets[index])
    ? content
    : { ...content, widgets };
}

/** Adds a widget of a report in the first free slot of the grid. */
export function addWidget(
  content: DraftContent,
  key: string,
  reportId: string,
  size: Pick<WidgetLayout, 'w' | 'h'> = newWidgetSize,
): DraftContent {
  const visible = withVisibleLayouts(content.widgets).map(({ layout }) => layout);
  const layout = firstFreeSlot(visible, size);
  return { ...content, widgets: [...content.widgets, { key, reportId, layout, config: {} }] };
}

/** Closes the gaps between the widgets. */
export function tidyUp(content: DraftContent): DraftContent {
  const layouts = new Map(
    withoutGaps(withVisibleLayouts(content.widgets)).map(({ key, layout }) => [key, layout]),
  );
  const widgets = content.widgets.map((widget) => ({
    ...widget,
    layout: layouts.get(widget.key) ?? widget.layout,
  }));
  return { ...content, widgets };
}

/** Adds a copy of a widget directly below it. The widgets there move down. */
export function duplicateWidget(content: DraftContent, key: string, newKey: string): DraftContent {
  const widget = content.widgets.find((each) => each.key === key);
  const layout = withVisibleLayouts(content.widgets).find((each) => each.key === key)?.layout;
  if (widget === undefined || layout === undefined) return content;
  // Added at the end first, so that moving it pushes the others down.
  const copy = { ...withoutId(widget), key: newKey, layout: { ...layout, y: endOf(content) } };
  const target = { ...layout, y: layout.y + layout.h };
  return moveWidget({ ...content, widgets: [...content.widgets, copy] }, newKey, target);
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

const endOf = (content: DraftContent): number =>
  withVisibleLayouts(content.widgets).reduce((end, { layout }) => Math.max(end, layout.y + layout.h), 0);

const isSameLayout = (one: WidgetLayout, other: WidgetLayout): boolean =>
  one.x === other.x && one.y === other.y && one.w === other.w && one.h === other.h;
