import { Type, type Static } from 'typebox';
import { WidgetLayout, type Widget, type WidgetEdit } from '#contract/dashboards/dashboards.ts';
import type { Fault } from '#contract/problem.ts';
import { FreeForm } from '#contract/values.ts';
import { requireDashboard } from '../../dashboards/access/access.ts';
import { contentOf } from '../../dashboards/content/content.ts';
import { defineTool, invalidArguments } from '../tool.ts';
import { Id } from './fields.ts';
import { BaseVersion, propose, Proposed, requireCurrent, Summary } from './proposed.ts';

const maxWidgets = 50;

const parts = {
  title: Type.Optional(Type.String({ maxLength: 300 })),
  layout: Type.Optional({ ...WidgetLayout, description: 'In cells of the grid of 12 columns' }),
  config: Type.Optional({ ...FreeForm, description: 'Such as `text` of a text, which is Markdown' }),
};
const Added = Type.Object({
  reportId: { ...Id, description: 'Of a report, also a proposed one, or builtin:text, builtin:heading' },
  ...parts,
});
const Changed = Type.Object({ id: Id, reportId: Type.Optional(Id), ...parts });

export const proposeDashboardEdit = defineTool({
  name: 'propose_dashboard_edit',
  title: 'Propose an edit of a dashboard',
  description:
    'Proposes an edit of a dashboard, or without `dashboardId` a new one. Nothing changes: a person sees it beside the present state, and ' +
    'accepts or declines it. Widgets that you don’t name stay as they are. Give the person the URL.',
  scope: 'propose',
  input: Type.Object({
    summary: Summary,
    dashboardId: Type.Optional(Id),
    baseVersion: Type.Optional(BaseVersion),
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1_000, description: 'Required for a new one' }),
    ),
    description: Type.Optional(Type.String({ maxLength: 10_000 })),
    add: Type.Optional(
      Type.Array(Added, {
        maxItems: maxWidgets,
        description: 'Without a layout, they get the first free place',
      }),
    ),
    change: Type.Optional(
      Type.Array(Changed, {
        maxItems: maxWidgets,
        description: 'Only what differs; a config replaces the whole one',
      }),
    ),
    remove: Type.Optional(Type.Array(Id, { maxItems: maxWidgets, description: 'The IDs of widgets' })),
  }),
  output: Proposed,
  run: async (dependencies, call, { summary, dashboardId, baseVersion, ...edit }) => {
    if (dashboardId === undefined) {
      const widgets = editWidgets([], edit);
      const { name, description } = edit;
      if (name === undefined) throw invalidArguments([required('/name')]);
      return propose(dependencies, call, {
        summary,
        dashboard: { name, ...(description !== undefined && { description }), widgets },
        ...(baseVersion !== undefined && { baseVersion }),
      });
    }
    const dashboard = await requireDashboard(dependencies.database, call.actor, dashboardId);
    requireCurrent(baseVersion, dashboard);
    const before = contentOf(dashboard);
    const { name = before.name, description = before.description } = edit;
    return propose(dependencies, call, {
      targetId: dashboardId,
      baseVersion: dashboard.version,
      summary,
      dashboard: {
        name,
        ...(description !== undefined && { description }),
        widgets: editWidgets(before.widgets, edit),
      },
    });
  },
});

interface Edit {
  readonly add?: readonly Static<typeof Added>[];
  readonly change?: readonly Static<typeof Changed>[];
  readonly remove?: readonly string[];
}

/** Returns the widgets after an edit. Throws `invalid_body` if it names a widget that isn't there. */
function editWidgets(widgets: readonly Widget[], { add = [], change = [], remove = [] }: Edit): WidgetEdit[] {
  const known = new Set(widgets.map(({ id }) => id));
  const faults = [
    ...change.flatMap(({ id }, index) => (known.has(id) ? [] : [unknown(`/change/${index}/id`)])),
    ...remove.flatMap((id, index) => (known.has(id) ? [] : [unknown(`/remove/${index}`)])),
  ];
  if (faults.length > 0) throw invalidArguments(faults);
  const removed = new Set(remove);
  const changes = new Map(change.map((each) => [each.id, each]));
  return [
    ...widgets
      .filter(({ id }) => !removed.has(id))
      .map((widget) => {
        const changed = changes.get(widget.id);
        if (changed === undefined) return { id: widget.id, reportId: widget.reportId };
        const { title, config = widget.config, layout = widget.layout, reportId = widget.reportId } = changed;
        return { id: widget.id, reportId, layout, config: withTitle(config, title) };
      }),
    ...add.map(({ reportId, title, config = {}, layout }) => ({
      reportId,
      ...(layout !== undefined && { layout }),
      config: withTitle(config, title),
    })),
  ];
}

const withTitle = (config: Readonly<Record<string, unknown>>, title: string | undefined) =>
  title === undefined ? { ...config } : { ...config, title };

const unknown = (pointer: string): Fault => ({
  pointer,
  code: 'unknown',
  message: 'must be the ID of a widget of the dashboard, as in read_dashboard',
});

const required = (pointer: string): Fault => ({ pointer, code: 'required', message: 'is required' });
