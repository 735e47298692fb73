import { Type, type Static } from 'typebox';
import { defineRoute } from '../route.ts';
import { Id, Timestamp } from '../values.ts';

/** A certificate with which Atrium proves to a provider that it is the client, instead of a client secret. */
export const SsoCertificate = Type.Object({
  id: Id,
  certificate: Type.String({ description: 'PEM, to upload at the identity provider' }),
  thumbprint: Type.String({ description: 'SHA-1 in hexadecimal, as Entra shows it' }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  usedSince: Type.Optional({ ...Timestamp, description: 'Since when it is used; absent until then' }),
});
export type SsoCertificate = Static<typeof SsoCertificate>;

const OfConnection = Type.Object({ orgId: Type.String(), connectionId: Type.String() });
const OfCertificate = Type.Object({ ...OfConnection.properties, certificateId: Type.String() });
const all = {
  tag: 'Single sign-on',
  access: 'session',
  path: '/api/sso/orgs/{orgId}/connections/{connectionId}/certificates',
  params: OfConnection,
} as const;
const one = { ...all, path: `${all.path}/{certificateId}`, params: OfCertificate } as const;

export const listSsoCertificates = defineRoute({
  ...all,
  id: 'listSsoCertificates',
  summary: 'List the certificates of a directory',
  description: 'Owner or admin. At most two: the one in use, and the next one.',
  method: 'GET',
  status: 200,
  reply: Type.Object({ items: Type.Array(SsoCertificate) }),
  problems: ['forbidden', 'not_found'],
});

export const createSsoCertificate = defineRoute({
  ...all,
  id: 'createSsoCertificate',
  summary: 'Create the next certificate of a directory',
  description:
    'Owner or admin. Upload it at the identity provider, then use it. It replaces one that was not used yet. Its private key never leaves the server.',
  method: 'POST',
  status: 201,
  reply: SsoCertificate,
  problems: ['confirmation_required', 'forbidden', 'not_found'],
});

export const useSsoCertificate = defineRoute({
  ...one,
  id: 'useSsoCertificate',
  summary: 'Use a certificate that was uploaded at the identity provider',
  description:
    'Owner or admin. From then on, Atrium authenticates with it instead of the client secret, and the one before is deleted. Sign-ins in progress have to be started again.',
  method: 'POST',
  path: `${one.path}/use`,
  status: 200,
  reply: SsoCertificate,
  problems: ['confirmation_required', 'forbidden', 'not_found'],
});

export const deleteSsoCertificate = defineRoute({
  ...one,
  id: 'deleteSsoCertificate',
  summary: 'Delete a certificate of a directory',
  description: 'Owner or admin. Without the one in use, the client secret is sent again.',
  method: 'DELETE',
  status: 204,
  problems: ['confirmation_required', 'forbidden', 'not_found'],
});
