import { Type, type Static } from 'typebox';
import { maxQueryResponseMs } from '../data-sources/data-sources.ts';
import { Organization } from '../organizations/organizations.ts';
import { imageTypes } from '#shared/images/image-file.ts';
import { HeaderText } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { DisplayName, FreeForm, Id, timePattern, Timestamp } from '../values.ts';
import { DashboardParams, WidgetLayout } from './dashboards.ts';
import { WidgetResult } from './results.ts';

/** A link for a wall display, which shows one dashboard without a session. */
export const DisplayLink = Type.Object({
  id: Id,
  name: Type.String(),
  filters: Type.Optional(Type.String({ description: 'The values of the filters, as a query string' })),
  createdBy: Id,
  createdByName: Type.String({ description: 'The name of the person whose access it has' }),
  createdAt: Timestamp,
  expiresAt: Type.Optional(Timestamp),
  lastUsedAt: Type.Optional({ ...Timestamp, description: 'Accurate to five minutes' }),
  withheld: Type.Array(
    Type.Object({
      widgetId: Id,
      reason: Type.Enum(['maker', 'editor'], {
        description:
          'Who may not see its report now: the person who created the link, or a person who last added or changed the widget or, ' +
          'if a filter of the dashboard sets its parameters, the filters',
      }),
    }),
    {
      description:
        'The widgets that it doesn’t show. Someone who may see their reports can change and save them',
    },
  ),
});
export type DisplayLink = Static<typeof DisplayLink>;

export const DisplayLinkInput = Type.Object({
  name: DisplayName,
  filters: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description:
        'The values of the filters, as in the query string of the results. A display can’t choose others',
    }),
  ),
  expiresAt: Type.Optional(
    Type.String({
      pattern: timePattern,
      'x-expected': 'an RFC 3339 date or time',
      description: 'When it stops working, RFC 3339; omitted: never',
      examples: ['2027-01-01'],
    }),
  ),
});
export type DisplayLinkInput = Static<typeof DisplayLinkInput>;

const NewDisplayLink = Type.Object({
  ...DisplayLink.properties,
  token: Type.String({ description: 'Returned only now, and not stored' }),
});
export type NewDisplayLink = Static<typeof NewDisplayLink>;

const links = {
  tag: 'Wall displays',
  access: 'session',
  path: '/api/dashboards/{dashboardId}/display-links',
  params: DashboardParams,
} as const;

export const createDisplayLink = defineRoute({
  ...links,
  id: 'createDisplayLink',
  summary: 'Create a link for a wall display',
  description:
    'Requires you to be the owner of the dashboard or an admin of its organization. Who has the token sees this dashboard, and ' +
    'nothing else, with the access that you have at that moment; of its reports, only those that also everyone may see who last ' +
    'added or changed what shows them. The page `/display#token` shows it. A dashboard has up to 20 links.',
  method: 'POST',
  body: DisplayLinkInput,
  status: 201,
  reply: NewDisplayLink,
  problems: ['forbidden', 'not_found', 'personal_dashboard', 'too_many_display_links'],
});

export const listDisplayLinks = defineRoute({
  ...links,
  id: 'listDisplayLinks',
  summary: 'List the links for wall displays',
  description: 'For its owner and admins. The newest first, without those that were revoked.',
  method: 'GET',
  status: 200,
  reply: Type.Object({ items: Type.Array(DisplayLink) }),
  problems: ['forbidden', 'not_found', 'personal_dashboard'],
});

export const revokeDisplayLink = defineRoute({
  ...links,
  id: 'revokeDisplayLink',
  summary: 'Revoke a link for a wall display',
  description: 'For its owner and admins. Displays stop at their next request.',
  method: 'DELETE',
  path: '/api/dashboards/{dashboardId}/display-links/{linkId}',
  params: Type.Object({ ...DashboardParams.properties, linkId: Type.String() }),
  status: 204,
  problems: ['forbidden', 'not_found', 'personal_dashboard'],
});

/** A widget as a display gets it. */
export const DisplayedWidget = Type.Object({
  id: Id,
  builtIn: Type.Optional(
    Type.String({ description: 'What it is, such as `builtin:text`; omitted if it shows a report' }),
  ),
  layout: WidgetLayout,
  config: Type.Unsafe<Readonly<Record<string, unknown>>>({
    ...FreeForm,
    description: 'What the page of the display shows of it',
  }),
});
export type DisplayedWidget = Static<typeof DisplayedWidget>;

/** What a display shows besides results: nothing about people, access, reports or other dashboards. */
export const DisplayedDashboard = Type.Object({
  id: Id,
  name: Type.String(),
  version: Type.Integer(),
  filters: Type.Optional(Type.String({ description: 'The values of the filters, as a query string' })),
  widgets: Type.Array(DisplayedWidget),
  organization: Type.Pick(Organization, [
    'timeZone',
    'weekStart',
    'locale',
    'currency',
    'accentColor',
    'chartColors',
    'logoId',
  ]),
});
export type DisplayedDashboard = Static<typeof DisplayedDashboard>;

/** What a widget of a display shows. */
const DisplayedResult = Type.Omit(WidgetResult, ['reportId']);

/** Every operation that accepts the token of a display; no other does. */
const display = {
  tag: 'Wall displays',
  access: 'display',
  method: 'GET',
  status: 200,
  problems: ['link_not_valid', 'too_many_attempts'],
} as const;

export const getDisplayedDashboard = defineRoute({
  ...display,
  id: 'getDisplayedDashboard',
  summary: 'Read the dashboard of a wall display',
  description: 'With the token of a link as `Authorization: Bearer`.',
  path: '/api/display',
  reply: DisplayedDashboard,
});

export const getDisplayedResults = defineRoute({
  ...display,
  id: 'getDisplayedResults',
  summary: 'Run the reports of the dashboard of a wall display',
  description:
    'Returns a line for each report, with the filters of the link. What went wrong with a report is not described. A report that ' +
    'the person who created the link, or a person who last added or changed the widget, may not see now has the problem `not_shown`.',
  path: '/api/display/results',
  maxResponseMs: maxQueryResponseMs,
  query: Type.Object({
    'widget-ids': Type.Optional(
      Type.String({
        ...HeaderText,
        description: 'Runs the reports of these widgets only, separated by commas. Unknown IDs are ignored',
      }),
    ),
  }),
  reply: DisplayedResult,
  mediaType: 'application/x-ndjson',
});

export const readDisplayedImage = defineRoute({
  ...display,
  id: 'readDisplayedImage',
  summary: 'Download an image of the dashboard of a wall display',
  description: 'Only images that its widgets name.',
  path: '/api/display/images/{imageId}',
  params: Type.Object({ imageId: Type.String({ description: 'The ID of the image' }) }),
  alternatives: imageTypes,
  problems: [...display.problems, 'not_found'],
});
