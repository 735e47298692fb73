import { Type, type Static } from 'typebox';
import { GivenId } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { TokenScope } from '../scopes.ts';
import { Timestamp } from '../values.ts';
import { Scopes } from './tokens.ts';

const UserCode = Type.String({
  maxLength: 20,
  description: 'The code that the device shows; case and hyphens don’t matter',
  examples: ['BCDF-GHJK'],
});

/** What a device asks for (RFC 8628). */
export const DeviceRequest = Type.Object({
  clientName: Type.String({ description: 'The name of the program' }),
  scopes: Type.Array(TokenScope),
  address: Type.String({ description: 'The IP address of the device' }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
});
export type DeviceRequest = Static<typeof DeviceRequest>;

const DeviceApproval = Type.Object({ userCode: UserCode, organizationId: GivenId, scopes: Scopes });
export type DeviceApproval = Static<typeof DeviceApproval>;

const base = { tag: 'Tokens', access: 'session', method: 'POST' } as const;

export const readDeviceRequest = defineRoute({
  ...base,
  id: 'readDeviceRequest',
  summary: 'Read what a device asks for',
  description: 'The code is sent in the body so that it stays out of logs.',
  path: '/api/auth/device-requests/read',
  body: Type.Object({ userCode: UserCode }),
  status: 200,
  reply: DeviceRequest,
  problems: ['not_found', 'too_many_attempts'],
});

export const approveDeviceRequest = defineRoute({
  ...base,
  id: 'approveDeviceRequest',
  summary: 'Authorize a device',
  description:
    'The device then acts as you in the organization, with the scopes that you choose among those it asks for, for at most 90 ' +
    'days. It is listed with your tokens, and can be revoked there. Requires a recent confirmation of identity.',
  path: '/api/auth/device-requests/approve',
  body: DeviceApproval,
  status: 204,
  problems: [
    'confirmation_required',
    'forbidden',
    'not_found',
    'sso_required',
    'too_many_attempts',
    'too_many_tokens',
  ],
});

export const denyDeviceRequest = defineRoute({
  ...base,
  id: 'denyDeviceRequest',
  summary: 'Deny a device',
  description: 'It gets no tokens, and its code no longer works.',
  path: '/api/auth/device-requests/deny',
  body: Type.Object({ userCode: UserCode }),
  status: 204,
  problems: ['not_found', 'too_many_attempts'],
});
