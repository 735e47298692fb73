import { Type } from 'typebox';
import { tlsModes } from '#shared/data-sources/postgresql.ts';

const fields = {
  host: Type.String({ minLength: 1, maxLength: 253 }),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  database: Type.String({ minLength: 1, maxLength: 200 }),
  user: Type.String({ minLength: 1, maxLength: 200 }),
  tls: Type.Enum([...tlsModes]),
};

/** How a PostgreSQL server is reached. */
export const postgresqlConnection = {
  input: Type.Object({
    ...fields,
    password: Type.Optional(
      Type.String({
        maxLength: 1024,
        description:
          'Write-only. Left out on a change, the stored one is kept, unless host, port, database or user change, or ' +
          '`tls` is less ' +
          'strict than before; empty: none',
      }),
    ),
  }),
  stored: Type.Object({ ...fields, hasPassword: Type.Boolean() }),
};
