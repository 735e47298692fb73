import { Type, type Static } from 'typebox';
import { DashboardParams } from './dashboards.ts';
import { maxQueryResponseMs } from '../data-sources/data-sources.ts';
import { PartialProblem } from '../problem.ts';
import { ReportParameter } from '../reports/reports.ts';
import { ReportResult } from '../reports/runs.ts';
import { HeaderText, otherNames } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { Visualization } from '../reports/visualizations.ts';

/** A parameter of a report on a dashboard, and the filter that sets it. */
export const ShownParameter = Type.Object({
  ...Type.Omit(ReportParameter, ['allowed']).properties,
  filter: Type.Optional(
    Type.String({
      description:
        'The name in the query string of the filter that sets it; omitted if no filter applies to these widgets',
    }),
  ),
  hasAllowed: Type.Boolean({
    description:
      'Whether only listed values are allowed: `GET /api/reports/{reportId}/parameters/{parameter}/values`',
  }),
});
export type ShownParameter = Static<typeof ShownParameter>;

/** What widgets show: the result of a report, or the problem that prevented it. */
export const WidgetResult = Type.Object({
  widgetIds: Type.Array(Type.String(), {
    description: 'The widgets that show this report with the same filters',
  }),
  reportId: Type.String(),
  reportName: Type.Optional(Type.String({ description: 'Also present if the report was deleted' })),
  visualization: Type.Optional(Visualization),
  parameters: Type.Optional(
    Type.Array(ShownParameter, {
      description: 'Omitted, like `visualization`, if the report does not exist',
    }),
  ),
  result: Type.Optional(ReportResult),
  problem: Type.Optional(PartialProblem),
});
export type WidgetResult = Static<typeof WidgetResult>;

export const getDashboardResults = defineRoute({
  id: 'getDashboardResults',
  tag: 'Dashboards',
  summary: 'Run the reports of a dashboard',
  description:
    'Returns one line for each report, as soon as it is ready; more than one if its widgets have different filters. Each name ' +
    'in the query string is a filter of the dashboard, or otherwise a parameter; parameters of the same name in several ' +
    'reports share one filter. A date filter takes days or words, such as `2026-11-01..2026-11-30`, `last-30-days` or ' +
    '`yesterday`, in the time zone of the organization; a filter for a range of numbers takes one such as `10..20`. A filter ' +
    'that is left out has the default that the dashboard defines. Repeat a name to pass a list. A name without a value ' +
    'selects nothing, or the empty text for a text parameter. Equal queries run once. A report that fails returns a line with its problem. With ' +
    '`Cache-Control: no-cache`, the data sources are queried even if the cached results are fresh.',
  method: 'GET',
  path: '/api/dashboards/{dashboardId}/results',
  maxResponseMs: maxQueryResponseMs,
  access: 'session',
  params: DashboardParams,
  query: Type.Object(
    {
      'widget-ids': Type.Optional(
        Type.String({
          ...HeaderText,
          description: 'Runs the reports of these widgets only, separated by commas. Unknown IDs are ignored',
        }),
      ),
    },
    otherNames,
  ),
  headers: Type.Object({
    'cache-control': Type.Optional(
      Type.String({ ...HeaderText, description: '`no-cache` queries the data sources again' }),
    ),
  }),
  status: 200,
  reply: WidgetResult,
  mediaType: 'application/x-ndjson',
  problems: ['not_found'],
});
