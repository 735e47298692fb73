import { Type, type Static } from 'typebox';
import { DashboardParams } from './dashboards.ts';
import { maxQueryAnswerMs } from '../data-sources.ts';
import { Problem } from '../problem.ts';
import { ReportParameter, ReportResult } from '../reports/reports.ts';
import { defineRoute } from '../route.ts';
import { Visualization } from '../reports/visualizations.ts';

/** A parameter of a report that a dashboard shows: a filter of the dashboard. */
export const ShownParameter = Type.Object({
  ...Type.Omit(ReportParameter, ['allowed']).properties,
  hasAllowed: Type.Boolean({
    description:
      'Whether its values are of a list: `GET /api/reports/{reportId}/parameters/{parameter}/values`',
  }),
});
export type ShownParameter = Static<typeof ShownParameter>;

/** What a widget shows: the result of its report, or why there is none. */
export const WidgetResult = Type.Object({
  widgetIds: Type.Array(Type.String(), { description: 'All widgets that show this report' }),
  reportId: Type.String(),
  reportName: Type.Optional(Type.String({ description: 'Also of a report that was deleted' })),
  visualization: Type.Optional(Visualization),
  parameters: Type.Optional(
    Type.Array(ShownParameter, {
      description: 'Left out, as `visualization`, where there is no such report',
    }),
  ),
  result: Type.Optional(ReportResult),
  problem: Type.Optional(Type.Omit(Problem, ['requestId'])),
});
export type WidgetResult = Static<typeof WidgetResult>;

export const getDashboardResults = defineRoute({
  id: 'getDashboardResults',
  tag: 'Dashboards',
  summary: 'Run all reports of a dashboard; a line as each is ready',
  description:
    'Each name in the query is a parameter: one of the same name in several reports is one filter of the dashboard, ' +
    'a name that is given twice is a list, and one without a value chooses none, or the empty text. Equal queries ' +
    'run once. A report that fails is a line with its problem. ' +
    'With `Cache-Control: no-cache` the sources are asked, however fresh the cache is.',
  method: 'GET',
  path: '/api/dashboards/{dashboardId}/results',
  maxResponseMs: maxQueryAnswerMs,
  access: 'session',
  params: DashboardParams,
  query: Type.Object({}, { additionalProperties: Type.Union([Type.String(), Type.Array(Type.String())]) }),
  headers: Type.Object({ 'cache-control': Type.Optional(Type.String()) }),
  status: 200,
  reply: WidgetResult,
  mediaType: 'application/x-ndjson',
  problems: ['not_found'],
});
