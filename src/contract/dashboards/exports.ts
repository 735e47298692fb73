import { Type, type Static } from 'typebox';
import { maxQueryResponseMs } from '../data-sources/data-sources.ts';
import { languages, type Language } from '#shared/language/languages.ts';
import { HeaderText, otherNames } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { DashboardParams } from './dashboards.ts';

/** The formats of exports, with their media types. */
export const exportMediaTypes = {
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;
export type ExportFormat = keyof typeof exportMediaTypes;

// Sound because the objects have no other keys.
const formats = Object.keys(exportMediaTypes) as ExportFormat[];

const ExportQuery = Type.Object(
  {
    'file-format': Type.Optional(Type.Enum(formats, { description: 'Default: `pdf`' })),
    'time-zone': Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The IANA time zone that instants are shown in. Default: that of the organization',
      }),
    ),
    'chart-patterns': Type.Optional(
      Type.Enum(['on', 'off'], {
        description:
          'Whether the colors of charts have patterns, too, in all formats but XLSX. Default: `off`',
      }),
    ),
    'text-language': Type.Optional(
      Type.Enum(Object.keys(languages) as Language[], {
        description:
          'Of the words that Atrium writes. Default: that of the locale of the organization, or else of `Accept-Language`',
      }),
    ),
  },
  otherNames,
);
export type ExportQuery = Static<typeof ExportQuery>;

const base = {
  tag: 'Dashboards',
  method: 'GET',
  access: 'session',
  maxResponseMs: maxQueryResponseMs,
  query: ExportQuery,
  headers: Type.Object({
    'accept-language': Type.Optional(
      Type.String({
        ...HeaderText,
        description: 'Numbers and dates are written in the first of these languages',
      }),
    ),
  }),
  status: 200,
  alternatives: Object.values(exportMediaTypes),
  problems: ['not_found', 'export_too_large', 'exports_busy'],
} as const;

export const exportDashboard = defineRoute({
  ...base,
  id: 'exportDashboard',
  summary: 'Export a dashboard as a file',
  description:
    'The other names in the query string are filters, as for the results of the dashboard. PDF has pages in A4, PNG and SVG ' +
    'are one picture, and XLSX has a sheet for each widget with all rows of its result. Everyone who can view the dashboard can export it.',
  path: '/api/dashboards/{dashboardId}/export',
  params: DashboardParams,
});

export const exportWidget = defineRoute({
  ...base,
  id: 'exportWidget',
  summary: 'Export a widget as a file',
  description: 'Like the export of its dashboard, with one widget.',
  path: '/api/dashboards/{dashboardId}/widgets/{widgetId}/export',
  params: Type.Object({ ...DashboardParams.properties, widgetId: Type.String() }),
});
