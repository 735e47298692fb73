import { Type, type Static } from 'typebox';
import { DataSource } from './data-sources.ts';
import { defineRoute } from '../route.ts';
import { Id, page, PageQuery, Timestamp } from '../values.ts';
import { dataSourceKinds } from './kinds.ts';

/** A data source in the trash. */
export const DeletedDataSource = Type.Object({
  id: Id,
  organizationId: Id,
  name: Type.String(),
  kind: Type.Enum([...dataSourceKinds]),
  deletedAt: Timestamp,
  deletedBy: Type.String({ description: 'The user who deleted it' }),
  deletedByName: Type.String({ description: 'Empty if that user no longer exists' }),
  purgeAt: Timestamp,
});
export type DeletedDataSource = Static<typeof DeletedDataSource>;

const base = { access: 'session', tag: 'Trash' } as const;
const TrashParams = Type.Object({ id: Type.String({ description: 'The `id` of the data source' }) });

export const listDeletedDataSources = defineRoute({
  ...base,
  id: 'listDeletedDataSources',
  summary: 'List the deleted data sources of an organization, most recently deleted first',
  description: 'Requires the editor role or higher.',
  method: 'GET',
  path: '/api/organizations/{orgId}/trash/data-sources',
  params: Type.Object({ orgId: Type.String({ description: 'The `id` of the organization' }) }),
  query: Type.Object(PageQuery),
  status: 200,
  reply: page(DeletedDataSource),
  problems: ['forbidden', 'not_found'],
});

export const restoreDeletedDataSource = defineRoute({
  ...base,
  id: 'restoreDeletedDataSource',
  summary: 'Restore a data source from the trash, with its tables',
  description: 'Requires the role that may change it.',
  method: 'POST',
  path: '/api/trash/data-sources/{id}/restore',
  params: TrashParams,
  status: 200,
  reply: DataSource,
  problems: ['forbidden', 'not_found'],
});

export const purgeDataSource = defineRoute({
  ...base,
  id: 'purgeDataSource',
  summary: 'Delete a data source in the trash permanently, with its tables and password',
  description: 'Requires the role that may change it.',
  method: 'DELETE',
  path: '/api/trash/data-sources/{id}',
  params: TrashParams,
  status: 204,
  problems: ['forbidden', 'not_found'],
});
