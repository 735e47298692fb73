import { Type, type Static } from 'typebox';
import { accessActions, type AccessAction } from '#shared/access-actions.ts';
import { auditActions, type AuditAction } from '#shared/audit-actions.ts';
import { defineRoute } from '../route.ts';
import { FreeForm, Id, Timestamp } from '../values.ts';

const nullable = (description: string) => Type.Union([Id, Type.Null()], { description });
const hash = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const sealed = {
  organizationId: Id,
  sequence: Type.Integer({ description: 'Its number, without gaps: send the last one as `after`' }),
  hash: Type.String({ description: 'Its hash in the chain' }),
  id: Id,
  at: Timestamp,
  actorId: nullable('The user'),
  details: FreeForm,
};

/** An entry of a log as log servers get it, with what its hash is computed of. */
export const LogEntry = Type.Union([
  Type.Object({
    log: Type.Literal('audit', { description: 'The audit log' }),
    action: Type.Unsafe<AuditAction>({ type: 'string', enum: [...auditActions] }),
    ...sealed,
    sessionId: nullable('The session'),
    detailsSalt: hash('What the details are hashed with; null if they were removed'),
    detailsHash: hash('The hash of the details'),
  }),
  Type.Object({
    log: Type.Literal('access', { description: 'The data-access log' }),
    action: Type.Unsafe<AccessAction>({ type: 'string', enum: [...accessActions] }),
    ...sealed,
    lastAt: Timestamp,
    count: Type.Integer({ description: 'How many requests there were' }),
    tokenId: nullable('The token'),
    linkId: nullable('The link of the display'),
    subjectId: nullable('What was read'),
  }),
]);
export type LogEntry = Static<typeof LogEntry>;

export const readLogStream = defineRoute({
  id: 'readLogStream',
  tag: 'Organizations',
  summary: 'Read the audit log or the data-access log in order, for log servers',
  description:
    'Owner or admin. Entries after a number, as NDJSON; empty if there is none. See docs/log-streams.md.',
  method: 'GET',
  path: '/api/organizations/{orgId}/log-stream',
  access: 'session',
  params: Type.Object({ orgId: Type.String() }),
  query: Type.Object({
    log: Type.Unsafe<LogEntry['log']>({
      type: 'string',
      enum: ['audit', 'access'],
      description: 'The audit log, or the data-access log',
    }),
    after: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,9}$',
        'x-expected': 'the number of an entry',
        description: 'The number of the last entry that you have. Default: 0',
      }),
    ),
    limit: Type.Optional(
      Type.String({
        pattern: '^([1-9][0-9]{0,2}|1000)$',
        'x-expected': 'a number from 1 to 1000',
        description: 'The most entries to return, 1 to 1000. Default: 1000. Fewer if they are large',
      }),
    ),
  }),
  status: 200,
  reply: LogEntry,
  mediaType: 'application/x-ndjson',
  problems: ['forbidden', 'not_found'],
});
