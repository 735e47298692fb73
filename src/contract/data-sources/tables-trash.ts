import { Type, type Static } from 'typebox';
import { SourceTable } from './data-sources.ts';
import { maxTypedLength } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { Id, page, PageQuery, RecordName, Timestamp } from '../values.ts';

/** An uploaded table in the trash. */
export const DeletedTable = Type.Object({
  id: Id,
  organizationId: Id,
  dataSourceId: Id,
  dataSourceName: Type.String({ description: 'The name of its data source' }),
  name: Type.String(),
  rowCount: Type.Integer({ description: 'The number of its rows' }),
  sizeBytes: Type.Integer({ description: 'Counts toward the storage of the organization' }),
  deletedAt: Timestamp,
  deletedBy: Type.String({ description: 'The user who deleted it' }),
  deletedByName: Type.String({ description: 'Empty if that user no longer exists' }),
  purgeAt: Timestamp,
});
export type DeletedTable = Static<typeof DeletedTable>;

const base = { access: 'session' } as const;
const TrashParams = Type.Object({ id: Type.String({ description: 'The `id` of the table in the trash' }) });

export const listSourceUses = defineRoute({
  ...base,
  id: 'listSourceUses',
  tag: 'Data sources',
  summary: 'List the reports that use a data source or one of its tables',
  description:
    'For members. Up to a hundred reports, without those in the trash. A report uses a table if its SQL names it.',
  method: 'GET',
  path: '/api/data-sources/{dataSourceId}/uses',
  params: Type.Object({ dataSourceId: Type.String({ description: 'The `id` of the data source' }) }),
  query: Type.Object({
    table: Type.Optional(
      Type.String({ maxLength: maxTypedLength, description: 'Only reports that use this table' }),
    ),
  }),
  status: 200,
  reply: Type.Object({
    items: Type.Array(RecordName, { description: 'The first hundred' }),
    totalCount: Type.Integer({ description: 'How many reports there are' }),
  }),
  problems: ['not_found'],
});

export const listDeletedTables = defineRoute({
  ...base,
  id: 'listDeletedTables',
  tag: 'Trash',
  summary: 'List the deleted tables of an organization, most recently deleted first',
  description: 'Requires the editor role or higher.',
  method: 'GET',
  path: '/api/organizations/{orgId}/trash/tables',
  params: Type.Object({ orgId: Type.String({ description: 'The `id` of the organization' }) }),
  query: Type.Object(PageQuery),
  status: 200,
  reply: page(DeletedTable),
  problems: ['forbidden', 'not_found'],
});

export const restoreDeletedTable = defineRoute({
  ...base,
  id: 'restoreDeletedTable',
  tag: 'Trash',
  summary: 'Restore a table from the trash',
  description: 'Requires the editor role or higher.',
  method: 'POST',
  path: '/api/trash/tables/{id}/restore',
  params: TrashParams,
  status: 200,
  reply: SourceTable,
  problems: ['forbidden', 'not_found', 'table_exists', 'too_many_tables'],
});

export const purgeTable = defineRoute({
  ...base,
  id: 'purgeTable',
  tag: 'Trash',
  summary: 'Delete a table in the trash permanently',
  description: 'Requires the editor role or higher.',
  method: 'DELETE',
  path: '/api/trash/tables/{id}',
  params: TrashParams,
  status: 204,
  problems: ['forbidden', 'not_found'],
});
