import { Type } from 'typebox';
import { tlsModes } from '#shared/data-sources/postgresql.ts';

const fields = {
  host: Type.String({ minLength: 1, maxLength: 253 }),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  database: Type.String({ minLength: 1, maxLength: 200 }),
  user: Type.String({ minLength: 1, maxLength: 200 }),
  tls: Type.Enum([...tlsModes]),
};

/** The connection to a PostgreSQL server. */
export const postgresqlConnection = {
  input: Type.Object({
    ...fields,
    password: Type.Optional(
      Type.String({
        maxLength: 1024,
        description:
          'Write-only. If it is left out on a change, the stored password is preserved, unless the host, port, ' +
          'database or user changes, or `tls` becomes less strict. An empty one removes it.',
      }),
    ),
  }),
  stored: Type.Object({ ...fields, hasPassword: Type.Boolean() }),
};
