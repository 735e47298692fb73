import { Type, type Static } from 'typebox';
import { defineRoute } from './route.ts';
import { DatabaseFault } from './server.ts';
import { Timestamp } from './values.ts';

/** What of the log is written, the least first. */
export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];
const LogLevel = Type.Enum([...logLevels]);

/** How query workers are isolated; from the kind that can reach the least of the machine to the most. */
const QueryIsolation = Type.Object(
  {
    kind: Type.Enum(['bubblewrap', 'separate_user', 'none']),
    reason: Type.Optional(Type.String({ description: 'Why queries are not isolated by bubblewrap' })),
    remedy: Type.Optional(Type.String({ description: 'What the operator can do about it' })),
  },
  {
    description:
      '`bubblewrap`: a worker sees only its data source. `separate_user`: it runs as a user of its own, and can read ' +
      'what every user of the machine can. `none`: it runs as the user of the server.',
  },
);

/** How the process that answers is doing. Of several replicas each answers for itself. */
export const ServerState = Type.Object({
  version: Type.String(),
  nodeVersion: Type.String(),
  startedAt: Timestamp,
  logLevel: LogLevel,
  memoryBytes: Type.Integer({ description: 'What the process holds, without its query processes' }),
  database: Type.Object({
    engine: Type.Enum(['SQLite', 'PostgreSQL']),
    answerMs: Type.Number({ description: 'How long the database took to answer' }),
    faults: Type.Array(DatabaseFault, { description: 'What does not work at the moment' }),
  }),
  dataDirectory: Type.Object({
    path: Type.String(),
    freeBytes: Type.Integer({ description: 'What is left on its disk' }),
    totalBytes: Type.Integer(),
  }),
  queries: Type.Object({
    running: Type.Integer(),
    waiting: Type.Integer({ description: 'For their turn' }),
    processes: Type.Integer({ description: 'At work, or kept for the next query' }),
    isolation: QueryIsolation,
  }),
  settings: Type.Array(
    Type.Object({
      name: Type.String({ description: 'The variable of the environment' }),
      value: Type.Optional(Type.String({ description: 'Left out: there is none, or it is a secret' })),
      isSecret: Type.Boolean(),
      isSet: Type.Boolean({ description: 'Whether there is a value' }),
    }),
    { description: 'What is in force, set or by default. No secrets.' },
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
  summary: 'Read how the server is doing, and its settings',
  description: 'For operators, in a session that opens all they have.',
  method: 'GET',
  problems: ['forbidden'],
});

export const changeServer = defineRoute({
  ...route,
  id: 'changeServer',
  summary: 'Change the log level until the next start',
  description:
    'For operators. Of the process that answers. Lines of requests are there only when the server starts with `debug` ' +
    'or `trace`.',
  method: 'PATCH',
  body: Type.Object({ logLevel: LogLevel }),
  problems: ['forbidden'],
});
