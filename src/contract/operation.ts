import { Type, type Static } from 'typebox';
import { defineRoute } from './route.ts';
import { Timestamp } from './values.ts';

/** The log levels, from the least to the most verbose. */
export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];
export const LogLevel = Type.Enum([...logLevels]);

/** How query workers are isolated, from the strictest kind to the weakest. */
export const QueryIsolation = Type.Object(
  {
    kind: Type.Enum(['bubblewrap', 'separate_user', 'none']),
    reason: Type.Optional(Type.String({ description: 'Why queries are not isolated by bubblewrap' })),
    remedy: Type.Optional(Type.String({ description: 'What to do to isolate them' })),
  },
  {
    description:
      '`bubblewrap`: a worker sees only its data source. `separate_user`: it runs as a separate user, and can read ' +
      'what every user of the machine can read. `none`: it runs as the user of the server.',
  },
);

/** A state in which the server works, but which someone should change. */
export const Attention = Type.Object({
  code: Type.String(),
  message: Type.String({ description: 'What is wrong' }),
  remedy: Type.Optional(Type.String()),
});
export type Attention = Static<typeof Attention>;

/** The state of the process that responds. With several replicas, each one reports only on itself. */
export const ServerState = Type.Object({
  attention: Type.Array(Attention, { description: 'What needs attention' }),
  version: Type.String(),
  nodeVersion: Type.String(),
  startedAt: Timestamp,
  logLevel: LogLevel,
  logRequests: Type.Boolean({ description: 'Whether the log has a line for each request' }),
  memoryBytes: Type.Integer({ description: 'Memory without query processes' }),
  database: Type.Object({
    engine: Type.Enum(['SQLite', 'PostgreSQL']),
    responseMs: Type.Number({ description: 'How long the database took to respond' }),
  }),
  dataDirectory: Type.Object({
    path: Type.String(),
    freeBytes: Type.Integer({ description: 'Free space on its disk' }),
    totalBytes: Type.Integer(),
  }),
  queries: Type.Object({
    running: Type.Integer(),
    waiting: Type.Integer({ description: 'Queries that wait for a free process' }),
    processes: Type.Integer({ description: 'Query processes, busy or idle' }),
    isolation: QueryIsolation,
  }),
  settings: Type.Array(
    Type.Object({
      name: Type.String({ description: 'The environment variable' }),
      value: Type.Optional(Type.String({ description: 'Absent if it has no value or is a secret' })),
      isSecret: Type.Boolean(),
      isSet: Type.Boolean({ description: 'Whether it has a value' }),
    }),
    { description: 'The settings in effect, without secrets' },
  ),
});
export type ServerState = Static<typeof ServerState>;

const route = {
  tag: 'Server',
  path: '/api/server',
  access: 'session',
  status: 200,
  reply: ServerState,
} as const;

export const getServer = defineRoute({
  ...route,
  id: 'getServer',
  summary: 'Read the state and settings of the server',
  description:
    'For operators who have a second factor, in a session that is not limited to one organization.',
  method: 'GET',
  problems: ['forbidden', 'second_factor_missing'],
});

export const changeServer = defineRoute({
  ...route,
  id: 'changeServer',
  summary: 'Change what is logged until the next start',
  description:
    'For operators who have a second factor. Changes only the process that responds, and only what is sent. Requests are logged at the level `info`.',
  method: 'PATCH',
  body: Type.Object({
    logLevel: Type.Optional(LogLevel),
    logRequests: Type.Optional(Type.Boolean({ description: 'Whether to log each request' })),
  }),
  problems: ['forbidden', 'second_factor_missing'],
});
