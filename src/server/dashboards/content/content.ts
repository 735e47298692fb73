import {
  WidgetInput,
  type Widget,
  type WidgetEdit,
  type WidgetLayout,
} from '#contract/dashboards/dashboards.ts';
import { AtriumError, invalidFaults } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { parseJson } from '../../base/texts/json.ts';
import { contentOfFields, isSameJson } from '../../records/fields.ts';
import type { StoredDashboard } from '../store.ts';
import { placeInStructure } from '#shared/sections/placement.ts';

/** The part of a dashboard that people edit; the server sets the rest. */
export interface DashboardContent {
  readonly name: string;
  readonly description?: string;
  readonly widgets: readonly Widget[];
}

/** Returns the content of a stored dashboard. */
export const contentOf = ({
  name,
  description,
  widgetsJson,
}: Pick<StoredDashboard, 'name' | 'description' | 'widgetsJson'>): DashboardContent => ({
  name,
  ...(description !== undefined && { description }),
  // Sound because the widgets were validated before they were stored.
  widgets: parseJson(widgetsJson) as Widget[],
});

export type WidgetPart = Exclude<keyof Widget, 'id'>;

/** The parts of a widget, all but its ID, which are stored and merged separately. */
// Sound because these are the fields of a widget.
export const widgetParts = Object.keys(WidgetInput.properties) as WidgetPart[];

/** How the name and description are stored and merged. */
export const headFields = contentOfFields<Omit<DashboardContent, 'widgets'>>(['name', 'description']);

/** How the parts of a widget are stored and merged. */
export const widgetFields = contentOfFields<Widget>(widgetParts);

export const isSameContent = (one: DashboardContent, other: DashboardContent): boolean =>
  headFields.isSame(one, other) &&
  one.widgets.length === other.widgets.length &&
  one.widgets.every((widget, index) => isSameJson(widget, other.widgets[index]));

/** Far more than people put on a dashboard, but small enough to merge and compare quickly. */
const maxWidgetsBytes = 2 * 1024 * 1024;

/**
 * Returns widgets as JSON text to store. Throws `body_too_large` if they are too large: otherwise, merged edits, or edits that
 * leave out unchanged parts, could make a dashboard grow without limit.
 */
export function widgetsText(widgets: readonly Widget[]): string {
  const text = JSON.stringify(widgets);
  if (Buffer.byteLength(text) > maxWidgetsBytes) {
    throw new AtriumError(
      'body_too_large',
      'The widgets of this dashboard would be larger than 2 MiB. Remove some of them.',
    );
  }
  return text;
}

/** Returns the widgets that a client sent, each with a new ID; those without a layout are placed. */
export const newWidgets = (inputs: readonly WidgetInput[]): Widget[] =>
  place(inputs.map((input) => ({ ...pickParts(input), id: newId() })));

/**
 * Returns the widgets of an edit. A widget with the ID of a known one keeps the parts of it that the edit leaves out. If
 * nothing changes, it is the same object, so that later comparisons take no time. All others are new and get an ID. `known` are
 * the widgets that the edit may refer to. Throws `invalid_body` if it refers to one twice.
 */
export function editedWidgets(edits: readonly WidgetEdit[], known: ReadonlyMap<string, Widget>): Widget[] {
  requireEachOnce(edits, known);
  const before = edits.map(({ id }) => (id === undefined ? undefined : known.get(id)));
  const placed = place(
    edits.map((edit, index) => ({ ...before[index], ...pickParts(edit), id: before[index]?.id ?? newId() })),
  );
  return placed.map((widget, index) => {
    const old = before[index];
    return old !== undefined && isSameJson(old, widget) ? old : widget;
  });
}

function requireEachOnce(edits: readonly WidgetEdit[], known: ReadonlyMap<string, Widget>): void {
  const seen = new Set<string>();
  const faults = edits.flatMap(({ id }, index) => {
    if (id === undefined || !known.has(id)) return [];
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [
      { pointer: `/widgets/${index}/id`, code: 'unique', message: 'must not be the ID of an earlier widget' },
    ];
  });
  if (faults.length > 0) throw invalidFaults(faults);
}

/** Returns only the known parts of a widget: unknown fields that a client sent are never stored. */
function pickParts(input: WidgetInput): WidgetInput {
  const parts = widgetParts.flatMap((part) =>
    input[part] === undefined ? [] : [[part, input[part]] as const],
  );
  // Sound because these are its own parts.
  return Object.fromEntries(parts) as unknown as WidgetInput;
}

function place(widgets: readonly (WidgetInput & { readonly id: string })[]): Widget[] {
  const layouts = placeInStructure(
    widgets.map(({ layout, ...widget }) => ({ ...widget, layout: layout && pickLayout(layout) })),
  );
  return widgets.map(({ id, reportId, layout: _layout, config = {}, ...others }, index) => {
    const layout = layouts[index];
    if (layout === undefined) throw new Error('Every widget has been placed.');
    return { id, reportId, layout, config, ...others };
  });
}

const pickLayout = ({ x, y, w, h }: WidgetLayout): WidgetLayout => ({ x, y, w, h });
