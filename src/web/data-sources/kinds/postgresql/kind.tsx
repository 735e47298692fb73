import { IconDatabase } from '@tabler/icons-react';
import { managePostgresql } from '#shared/data-sources/postgresql.ts';
import { t } from '#shared/language/messages.ts';
import type { SourceKind } from '../kind.ts';
import { ConnectionCard } from './ConnectionCard.tsx';
import { ConnectionFields } from './ConnectionFields.tsx';
import { connectionPointers, emptyConnection, inputOf, typedFrom, type PostgresqlSource } from './form.ts';

/** A PostgreSQL server, or another that speaks its protocol. */
export const sourceKind: SourceKind = {
  label: 'PostgreSQL',
  description: t('Live queries to your database'),
  icon: IconDatabase,
  manage: managePostgresql,
  hasUploads: false,
  createLabel: t('Create and test'),
  noTables: t('The database has no tables that this user can read.'),
  deletionNote: t('Nothing changes on the server itself.'),
  storedData: t('its stored password'),
  placeOf: ({ connection }: PostgresqlSource) =>
    t('PostgreSQL · {database} on {host}', { database: connection.database, host: connection.host }),
  connection: {
    typedFrom: (source?: PostgresqlSource) =>
      source === undefined ? emptyConnection : typedFrom(source.connection),
    inputOf,
    pointers: connectionPointers,
    Fields: ConnectionFields,
    Card: ConnectionCard,
  },
};
