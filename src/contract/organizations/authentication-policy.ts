import { Type, type Static } from 'typebox';
import { defineRoute } from '../route.ts';

/** How strictly an organization checks who somebody is. Sign-ins through a directory are the directory's business. */
export const AuthenticationPolicy = Type.Object({
  secondFactor: Type.Enum(['off', 'owners', 'everyone'], {
    description:
      'Which members need a second factor to use the organization after they signed in with a password',
  }),
  confirmSsoChanges: Type.Boolean({
    description:
      'Whether changes of single sign-on, and giving people a role that can make them, need a recent confirmation of identity, which ' +
      'tokens don’t have: without one, they respond with `confirmation_required`',
  }),
});
export type AuthenticationPolicy = Static<typeof AuthenticationPolicy>;

const base = {
  tag: 'Organizations',
  path: '/api/organizations/{orgId}/authentication-policy',
  params: Type.Object({ orgId: Type.String() }),
} as const;

export const getAuthenticationPolicy = defineRoute({
  ...base,
  id: 'getAuthenticationPolicy',
  summary: 'Read what an organization requires of sign-ins',
  description: 'For members.',
  method: 'GET',
  access: 'session',
  status: 200,
  reply: AuthenticationPolicy,
  problems: ['not_found'],
});

export const putAuthenticationPolicy = defineRoute({
  ...base,
  id: 'putAuthenticationPolicy',
  summary: 'Set what an organization requires of sign-ins',
  description:
    'Owner, with a recent confirmation of identity, and with a second factor if owners need one. It applies from the next request on, also to personal tokens: ' +
    'members without a required second factor get `second_factor_missing` in this organization until they set one up.',
  method: 'PUT',
  access: 'session',
  body: AuthenticationPolicy,
  status: 200,
  reply: AuthenticationPolicy,
  problems: ['confirmation_required', 'forbidden', 'not_found', 'second_factor_missing'],
});
