import { Type, type Static } from 'typebox';
import { defineRoute } from '../route.ts';
import { Timestamp } from '../values.ts';

/** The identity that the host gives this server, with which it can prove to Entra that it is the client. */
export const SsoWorkloadIdentity = Type.Object({
  isOffered: Type.Boolean({
    description: 'Whether the server has one, and its operator has named the organization',
  }),
  usedSince: Type.Optional({
    ...Timestamp,
    description: 'Since when the directory uses it; absent if it doesn’t',
  }),
  issuer: Type.Optional(
    Type.String({
      description:
        'To enter at the app registration, like `subject` and `audience`; absent if there is a problem',
    }),
  ),
  subject: Type.Optional(Type.String({ description: 'Who the server is at the issuer' })),
  audience: Type.Optional(Type.String({ description: 'The audience of the token' })),
  problem: Type.Optional(
    Type.Object(
      {
        code: Type.String(),
        message: Type.String(),
        remedy: Type.String(),
      },
      { description: 'Why it can’t be used now' },
    ),
  ),
});
export type SsoWorkloadIdentity = Static<typeof SsoWorkloadIdentity>;

const one = {
  tag: 'Single sign-on',
  access: 'session',
  path: '/api/sso/orgs/{orgId}/connections/{connectionId}/workload-identity',
  params: Type.Object({ orgId: Type.String(), connectionId: Type.String() }),
} as const;

export const getSsoWorkloadIdentity = defineRoute({
  ...one,
  id: 'getSsoWorkloadIdentity',
  summary: 'Read the workload identity for a directory',
  description: 'Owner or admin. What to register at Entra, and whether the directory uses it.',
  method: 'GET',
  status: 200,
  reply: SsoWorkloadIdentity,
  problems: ['forbidden', 'not_found'],
});

export const putSsoWorkloadIdentity = defineRoute({
  ...one,
  id: 'putSsoWorkloadIdentity',
  summary: 'Use the workload identity for a directory',
  description:
    'Owner or admin. Register it at Entra first: from now on, it is sent instead of the certificate or client secret. Sign-ins in progress have to be started again.',
  method: 'PUT',
  status: 200,
  reply: SsoWorkloadIdentity,
  problems: ['confirmation_required', 'forbidden', 'not_found', 'workload_identity_unavailable'],
});

export const deleteSsoWorkloadIdentity = defineRoute({
  ...one,
  id: 'deleteSsoWorkloadIdentity',
  summary: 'Stop using the workload identity for a directory',
  description: 'Owner or admin. The certificate or client secret is used again.',
  method: 'DELETE',
  status: 204,
  problems: ['confirmation_required', 'forbidden', 'not_found'],
});
