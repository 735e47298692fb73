import { Type, type Static } from 'typebox';
import { roles } from '#shared/permissions.ts';
import { maxChartColors } from '#shared/branding/branding.ts';
import { logoTypes } from '#shared/branding/logo.ts';
import { locales, readersLocale } from '#shared/region/locales.ts';
import { weekStarts } from '#shared/query-builder/structure.ts';
import { IdempotencyKey, idempotencyProblems } from '../idempotency.ts';
import { defineRoute } from '../route.ts';
import { DisplayName, Id, page, PageQuery, Timestamp } from '../values.ts';

/** One of the roles. */
export const Role = Type.Enum([...roles]);
export type Role = Static<typeof Role>;

const TimeZone = Type.String({
  maxLength: 100,
  description: 'The IANA time zone in which relative dates, such as “yesterday”, begin and end',
  examples: ['Europe/Berlin'],
});
const WeekStart = Type.Enum([...weekStarts], { description: 'The first day of a week' });

const Locale = Type.Enum([readersLocale, ...locales], {
  description:
    'How dates and numbers are written, as a BCP 47 language tag; `auto` leaves it to the browser of each reader',
});
const Currency = Type.String({
  maxLength: 100,
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

export const LogoId = Type.String({
  description: 'Of the logo, for `/api/logos/{logoId}`; absent without one. A new logo has a new ID',
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
  logoId: Type.Optional(LogoId),
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
  problems: ['forbidden', 'quota_exceeded', ...idempotencyProblems],
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

const logo = {
  tag: 'Organizations',
  access: 'session',
  path: '/api/organizations/{orgId}/logo',
  params: OrgId,
} as const;

export const setLogo = defineRoute({
  ...logo,
  id: 'setLogo',
  summary: 'Upload the logo of an organization',
  description:
    'Owner or admin. The body is the file itself: PNG, JPEG or WebP, at most 256 KiB, and at most 1,024 pixels wide and high. It ' +
    'replaces the logo that the organization has.',
  method: 'PUT',
  upload: logoTypes,
  status: 200,
  reply: Organization,
  problems: ['forbidden', 'not_found', 'unreadable_image'],
});

export const removeLogo = defineRoute({
  ...logo,
  id: 'removeLogo',
  summary: 'Remove the logo of an organization',
  description: 'Owner or admin. An organization without a logo stays as it is.',
  method: 'DELETE',
  status: 204,
  problems: ['forbidden', 'not_found'],
});

export const readLogo = defineRoute({
  id: 'readLogo',
  tag: 'Organizations',
  summary: 'Download a logo',
  description:
    'For everyone who knows its ID, which can’t be guessed and says nothing about the organization: sign-in pages and wall ' +
    'displays show it, too. The file of an ID never changes, so that browsers can keep it.',
  method: 'GET',
  path: '/api/logos/{logoId}',
  access: 'public',
  params: Type.Object({ logoId: LogoId }),
  status: 200,
  alternatives: logoTypes,
  replyHeaders: { ETag: 'The ID of the logo' },
  problems: ['not_found'],
});
