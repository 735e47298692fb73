import { Type, type Static } from 'typebox';
import { GivenId } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { Email, EmailAddress, Id, page, PageQuery, Timestamp } from '../values.ts';

/** How the new identity provider names a person of a former one. */
export const ListedPerson = Type.Object({
  userId: Type.String({ ...GivenId, description: 'A person who has signed in through a former provider' }),
  email: Type.Optional(Email),
  subject: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The object ID (`oid`) at Entra, or `sub` at other providers',
    }),
  ),
});
export type ListedPerson = Static<typeof ListedPerson>;

/** Which people of a former identity provider keep their account when they sign in through the current one. */
export const SsoMigrationInput = Type.Object({
  byAddress: Type.Boolean({
    description:
      'Whether people keep the account with their address, if the provider confirms it and its domain is verified',
  }),
  people: Type.Array(ListedPerson, {
    maxItems: 5000,
    description:
      'People with another address, or with an ID at the new provider. Nobody gets the account of a person with neither',
  }),
});
export type SsoMigrationInput = Static<typeof SsoMigrationInput>;

export const SsoMigration = Type.Object({
  ...SsoMigrationInput.properties,
  acceptedAt: Type.Optional(
    Type.String({ ...Timestamp, description: 'Absent until an owner has accepted the migration' }),
  ),
  formerIssuers: Type.Array(Type.String(), { description: 'The issuers of the former identity providers' }),
  totalCount: Type.Integer({ description: 'How many people have signed in through a former provider' }),
  movedCount: Type.Integer({ description: 'How many of them have signed in through the current one' }),
  matchedCount: Type.Integer({ description: 'How many would keep their account at their next sign-in' }),
});
export type SsoMigration = Static<typeof SsoMigration>;

const addressProblems = ['address_not_verified', 'domain_not_verified', 'address_shared'] as const;

/** A person who has signed in through a former identity provider. */
export const FormerPerson = Type.Object({
  userId: Id,
  email: EmailAddress,
  name: Type.String(),
  state: Type.Enum(['moved', 'matched', 'unmatched'], {
    description:
      '`moved`: has signed in through the current provider. `matched`: would keep the account. Before the migration ' +
      'is accepted, this is a preview with `byAddress`',
  }),
  by: Type.Optional(Type.Enum(['address', 'list'], { description: 'How a `matched` person is recognized' })),
  needsPassword: Type.Boolean({
    description: 'Whether keeping the account requires its password once',
  }),
  addressProblem: Type.Optional(
    Type.Enum(addressProblems, { description: 'Why the person cannot be recognized by the address' }),
  ),
  reason: Type.Optional(
    Type.Enum(
      [
        'not_a_member',
        'excluded',
        'in_other_organizations',
        'no_password',
        'address_not_used',
        ...addressProblems,
      ],
      { description: 'Why an `unmatched` person would not keep the account' },
    ),
  ),
  movedAt: Type.Optional(
    Type.String({
      ...Timestamp,
      description: 'When the migration gave the person the account; can be undone',
    }),
  ),
});
export type FormerPerson = Static<typeof FormerPerson>;

const OrgId = Type.Object({ orgId: Type.String() });
const route = { tag: 'Single sign-on', access: 'session', params: OrgId } as const;
const path = '/api/sso/orgs/{orgId}/migration';

export const getSsoMigration = defineRoute({
  ...route,
  id: 'getSsoMigration',
  summary: 'Read how people of a former identity provider keep their accounts',
  description: 'Owner or admin.',
  method: 'GET',
  path,
  status: 200,
  reply: SsoMigration,
  problems: ['forbidden', 'not_found'],
});

export const putSsoMigration = defineRoute({
  ...route,
  id: 'putSsoMigration',
  summary: 'Let people of a former identity provider keep their accounts',
  description:
    'Owner, with a recent confirmation of identity, once an owner has saved the configuration. The people can then ' +
    'sign in to their accounts through the current provider. This ends when the provider, the client, the tenant or ' +
    'the discovery URL changes.',
  method: 'PUT',
  path,
  body: SsoMigrationInput,
  status: 200,
  reply: SsoMigration,
  problems: ['confirmation_required', 'forbidden', 'not_found', 'sso_not_ready'],
});

export const listFormerPeople = defineRoute({
  ...route,
  id: 'listFormerPeople',
  summary: 'List the people of former identity providers and whether they would keep their accounts',
  description: 'Owner or admin.',
  method: 'GET',
  path: `${path}/people`,
  query: Type.Object(PageQuery),
  status: 200,
  reply: page(FormerPerson),
  problems: ['forbidden', 'not_found'],
});

export const undoSsoMigration = defineRoute({
  ...route,
  id: 'undoSsoMigration',
  summary: 'Undo that a person kept an account',
  description:
    'Owner. For an account that the wrong person got. Ends the sessions of the account in this organization. At the next sign-in through the current provider, ' +
    'the person gets a new account. What was done with the account stays with it.',
  method: 'POST',
  path: `${path}/people/{userId}/undo`,
  params: Type.Object({ orgId: Type.String(), userId: Type.String() }),
  status: 204,
  problems: ['confirmation_required', 'forbidden', 'not_found'],
});
