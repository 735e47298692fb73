import { Type, type Static } from 'typebox';
import { auditActions, type AuditAction } from '#shared/audit-actions.ts';
import { GivenId, maxTypedLength } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { EmailVerified } from '../accounts/sessions.ts';
import { FreeForm, Id, page, PageQuery, timePattern, Timestamp } from '../values.ts';

/** An event in the audit log; entries never change. */
export const AuditEntry = Type.Object({
  id: Id,
  at: Timestamp,
  action: Type.Unsafe<AuditAction>({ type: 'string', enum: [...auditActions] }),
  actorId: Type.Optional(
    Type.String({ ...Id, description: 'The user who did it; absent if it was the server' }),
  ),
  actorEmail: Type.Optional(Type.String()),
  actorEmailVerified: EmailVerified,
  details: FreeForm,
});
export type AuditEntry = Static<typeof AuditEntry>;

const time = { pattern: timePattern, 'x-expected': 'an RFC 3339 date or time' };

const filter = {
  from: Type.Optional(Type.String({ ...time, description: 'At or after this RFC 3339 date or time' })),
  to: Type.Optional(Type.String({ ...time, description: 'Before this RFC 3339 date or time' })),
  actorId: Type.Optional(Type.String({ ...GivenId, description: 'Only what this user did' })),
  action: Type.Optional(
    Type.String({
      maxLength: maxTypedLength,
      description: 'Only this action, such as `sso.configuration.saved`',
    }),
  ),
};

const route = {
  tag: 'Organizations',
  method: 'GET',
  access: 'session',
  params: Type.Object({ orgId: Type.String() }),
  status: 200,
  problems: ['forbidden', 'not_found'],
} as const;

export const listAudit = defineRoute({
  ...route,
  id: 'listAudit',
  summary: 'List the audit log of an organization, newest first',
  description: 'Owner or admin.',
  path: '/api/organizations/{orgId}/audit',
  query: Type.Object({ ...PageQuery, ...filter }),
  reply: page(AuditEntry),
});

export const exportAudit = defineRoute({
  ...route,
  id: 'exportAudit',
  summary: 'Export the audit log of an organization as NDJSON, newest first',
  description: 'Owner or admin. One entry per line.',
  path: '/api/organizations/{orgId}/audit/export',
  query: Type.Object(filter),
  reply: AuditEntry,
  mediaType: 'application/x-ndjson',
});
