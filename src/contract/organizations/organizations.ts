import { Type, type Static } from 'typebox';
import { roles } from '#shared/permissions.ts';
import { maxChartColors } from '#shared/branding/branding.ts';
import { locales, readersLocale } from '#shared/region/locales.ts';
import { weekStarts } from '#shared/query-builder/structure.ts';
import { IdempotencyKey, idempotencyProblems } from '../idempotency.ts';
import { defineRoute } from '../route.ts';
import { DisplayName, Id, page, PageQuery, Timestamp } from '../values.ts';

/** One of the roles. */
export const Role = Type.Enum([...roles]);
export type Role = Static<typeof Role>;

const TimeZone = Type.String({
  description: 'The IANA time zone in which relative dates, such as “yesterday”, begin and end',
  examples: ['Europe/Berlin'],
});
const WeekStart = Type.Enum([...weekStarts], { description: 'The first day of a week' });

const Locale = Type.Enum([readersLocale, ...locales], {
  description:
    'How dates and numbers are written, as a BCP 47 language tag; `auto` leaves it to the browser of each reader',
});
const Currency = Type.String({
  description: 'The currency of amounts that name none (ISO 4217); `XXX` for no currency',
  examples: ['EUR'],
});

const colorExpectation = { 'x-expected': 'must be a color such as #3b59b4, with lower-case letters' };
const AccentColor = Type.String({
  description:
    'The color of buttons and links. Pages use a darker or lighter shade where text would be hard to read.',
  pattern: '^#[0-9a-f]{6}$',
  ...colorExpectation,
});
const ChartColors = Type.Array(Type.String({ pattern: '^#[0-9a-f]{6}$', ...colorExpectation }), {
  description:
    'The first colors of charts; those of Atrium follow. Charts use a shade with a contrast of at least 3 to 1.',
  maxItems: maxChartColors,
});

const organization = {
  id: Id,
  name: Type.String(),
  timeZone: TimeZone,
  weekStart: WeekStart,
  locale: Locale,
  currency: Currency,
  accentColor: AccentColor,
  chartColors: ChartColors,
  createdAt: Timestamp,
  updatedAt: Timestamp,
};
/** An organization, with the role of the member who reads it. */
export const Organization = Type.Object({
  ...organization,
  role: Type.Enum([...roles], { description: 'Your role' }),
});
export type Organization = Static<typeof Organization>;

const OrganizationName = Type.Object({ name: DisplayName });
const OrganizationChange = Type.Object({
  name: Type.Optional(DisplayName),
  timeZone: Type.Optional(TimeZone),
  weekStart: Type.Optional(WeekStart),
  locale: Type.Optional(Locale),
  currency: Type.Optional(Currency),
  accentColor: Type.Optional(AccentColor),
  chartColors: Type.Optional(ChartColors),
});
export type OrganizationChange = Static<typeof OrganizationChange>;
const OrgId = Type.Object({ orgId: Type.String() });

export const createOrganization = defineRoute({
  id: 'createOrganization',
  tag: 'Organizations',
  summary: 'Create an organization; you become its owner',
  description:
    'For operators of the server or, with `ATRIUM_ORGANIZATION_CREATION=everyone`, everyone with an account. Not in ' +
    'a ' +
    'session that is limited to one organization.',
  method: 'POST',
  path: '/api/organizations',
  access: 'session',
  headers: IdempotencyKey,
  body: OrganizationName,
  status: 201,
  location: '/api/organizations/{id}',
  reply: Organization,
  problems: ['forbidden', ...idempotencyProblems],
});

export const listOrganizations = defineRoute({
  id: 'listOrganizations',
  tag: 'Organizations',
  summary: 'List the organizations you are a member of',
  description: 'In a session that is limited to one organization, only that one. Each has your role in it.',
  method: 'GET',
  path: '/api/organizations',
  access: 'session',
  query: Type.Object(PageQuery),
  status: 200,
  reply: page(Organization),
});

export const getOrganization = defineRoute({
  id: 'getOrganization',
  tag: 'Organizations',
  summary: 'Read an organization',
  description: 'For members.',
  method: 'GET',
  path: '/api/organizations/{orgId}',
  access: 'session',
  params: OrgId,
  status: 200,
  reply: Organization,
  problems: ['not_found'],
});

export const changeOrganization = defineRoute({
  id: 'changeOrganization',
  tag: 'Organizations',
  summary: 'Change the name, the regional settings or the colors of an organization',
  description: 'Owner or admin. Members that are left out stay as they are; at least one is required.',
  method: 'PATCH',
  path: '/api/organizations/{orgId}',
  access: 'session',
  params: OrgId,
  body: OrganizationChange,
  status: 200,
  reply: Organization,
  problems: ['forbidden', 'not_found'],
});
