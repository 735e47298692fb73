import { Type, type Static } from 'typebox';
import { Role } from '../organizations/organizations.ts';
import { GivenId, TypedEmail } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { Id } from '../values.ts';

const owned = (description: string) =>
  Type.Object(
    {
      count: Type.Integer({ description: 'How many you own' }),
      restricted: Type.Integer({
        description: 'How many of them only admins and the people they are shared with can see',
      }),
    },
    { description },
  );

/** An organization that a person leaves with their account. */
const Left = Type.Object({
  organizationId: Id,
  name: Type.String({ description: 'The name of the organization' }),
  role: Role,
  isLastOwner: Type.Boolean({ description: 'Whether this prevents the deletion' }),
  mayHandOver: Type.Boolean({
    description:
      'Whether you choose what becomes of what you own. False for viewers, and if this session can’t open the organization: then it stays, and admins manage it',
  }),
  dashboards: owned('Your dashboards in the organization'),
  reports: owned('Your reports'),
  folders: owned('Your folders'),
  dataSources: owned('Your data sources, with their tables'),
});

/** What the deletion of an account would do. */
export const AccountDeletionPreview = Type.Object({
  organizations: Type.Array(Left, { description: 'All organizations that you are a member of' }),
  personalDashboards: Type.Integer({
    description: 'Dashboards outside of organizations, which are deleted permanently',
  }),
  isLastOperator: Type.Boolean({ description: 'Whether this prevents the deletion' }),
});
export type AccountDeletionPreview = Static<typeof AccountDeletionPreview>;

const account = { tag: 'Account', access: 'session', path: '/api/auth/delete-account' } as const;

export const previewAccountDeletion = defineRoute({
  ...account,
  id: 'previewAccountDeletion',
  summary: 'Read what deleting your account would do',
  description: 'Counts what you own in each organization, without what is in the trash.',
  method: 'GET',
  status: 200,
  reply: AccountDeletionPreview,
  problems: ['forbidden'],
});

export const deleteAccount = defineRoute({
  ...account,
  id: 'deleteAccount',
  summary: 'Delete your account',
  description:
    'Requires a recent confirmation of identity. What you own in each organization is handed over to a member or moved to the ' +
    'trash. Your sessions, tokens, second factors, stars and personal dashboards are deleted. Comments, versions and logs keep a pseudonym. ' +
    'This can’t be undone.',
  method: 'POST',
  body: Type.Object({
    email: Type.String({ ...TypedEmail, description: 'The email address of the account, typed again' }),
    organizations: Type.Array(
      Type.Object({
        organizationId: Type.String({ ...GivenId, description: 'The organization' }),
        handOverTo: Type.Union([GivenId, Type.Null()], {
          description: 'The user ID of the member who gets what you own there; null for the trash',
        }),
      }),
      { maxItems: 1000, description: 'Each organization where you own something, and may hand it over' },
    ),
  }),
  status: 204,
  problems: ['confirmation_required', 'forbidden', 'last_operator', 'last_owner'],
});
