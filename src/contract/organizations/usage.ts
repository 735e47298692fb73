import { Type, type Static } from 'typebox';
import { defineRoute } from '../route.ts';

const used = (description: string) =>
  Type.Object(
    {
      used: Type.Integer({ description: 'How much is stored' }),
      limit: Type.Integer({
        description: 'The most that may be stored; what exceeds it is refused with `quota_exceeded`',
      }),
    },
    { description },
  );

/** What is stored, and the limits. */
export const Usage = Type.Object({
  records: used('The number of dashboards, reports, folders and data sources, with those in the trash'),
  bytes: used('The size of these, their former versions, models, comments, images and proposals'),
});
export type Usage = Static<typeof Usage>;

export const getOrganizationUsage = defineRoute({
  id: 'getOrganizationUsage',
  tag: 'Organizations',
  summary: 'Read how much an organization stores, and the limits',
  description: 'Admin or higher.',
  method: 'GET',
  path: '/api/organizations/{orgId}/usage',
  access: 'session',
  params: Type.Object({ orgId: Type.String() }),
  status: 200,
  reply: Usage,
  problems: ['forbidden', 'not_found'],
});

export const getAccountUsage = defineRoute({
  id: 'getAccountUsage',
  tag: 'Account',
  summary: 'Read how much you store outside of organizations, and the limits',
  description: 'Not with a session of one organization.',
  method: 'GET',
  path: '/api/auth/account/usage',
  access: 'session',
  status: 200,
  reply: Usage,
  problems: ['forbidden'],
});
