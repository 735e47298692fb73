import { IconDatabase } from '@tabler/icons-react';
import { managePostgresql } from '#shared/data-sources/postgresql.ts';
import type { SourceKind } from '../kind.ts';
import { ConnectionCard } from './ConnectionCard.tsx';
import { ConnectionFields } from './ConnectionFields.tsx';
import { connectionPointers, emptyConnection, inputOf, typedFrom, type PostgresqlSource } from './form.ts';

/** A PostgreSQL server, or another that speaks its protocol. */
export const sourceKind: SourceKind = {
  label: 'PostgreSQL',
  description: 'Live queries to your database',
  icon: IconDatabase,
  manage: managePostgresql,
  hasUploads: false,
  createLabel: 'Create and test',
  noTables: 'The database has no tables that this user can read.',
  deletionNote: 'Nothing changes on the server itself.',
  storedData: 'its stored password',
  placeOf: ({ connection }: PostgresqlSource) => `PostgreSQL · ${connection.database} on ${connection.host}`,
  connection: {
    typedFrom: (source?: PostgresqlSource) =>
      source === undefined ? emptyConnection : typedFrom(source.connection),
    inputOf,
    pointers: connectionPointers,
    Fields: ConnectionFields,
    Card: ConnectionCard,
  },
};
