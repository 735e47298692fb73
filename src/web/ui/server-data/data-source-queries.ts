import { queryOptions } from '@tanstack/react-query';
import type { DataSource } from '#contract/data-sources/data-sources.ts';
import { call } from '../../app/api.ts';
import { allPages } from './all-pages.ts';

/** All data sources of an organization. */
export const dataSourcesQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['data-sources', 'of', orgId],
    queryFn: ({ signal }): Promise<readonly DataSource[]> =>
      allPages((query) =>
        call('GET /api/organizations/{orgId}/data-sources', { params: { orgId }, query, signal }),
      ),
  });

export const dataSourceQuery = (dataSourceId: string) =>
  queryOptions({
    queryKey: ['data-sources', dataSourceId],
    queryFn: ({ signal }) =>
      call('GET /api/data-sources/{dataSourceId}', { params: { dataSourceId }, signal }),
  });

/** Your permissions on a data source. */
export const sourcePermissionsQuery = (dataSourceId: string) =>
  queryOptions({
    queryKey: ['data-sources', dataSourceId, 'permissions'],
    queryFn: ({ signal }) =>
      call('GET /api/data-sources/{dataSourceId}/permissions', { params: { dataSourceId }, signal }),
  });

/** The tables of a data source with their columns; for people who may query it. */
export const tablesQuery = (dataSourceId: string) =>
  queryOptions({
    queryKey: ['data-sources', dataSourceId, 'tables'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/data-sources/{dataSourceId}/tables', { params: { dataSourceId }, signal })).items,
    staleTime: 60_000,
  });

/** The first rows of a table; for editors. */
export const tablePreviewQuery = (
  dataSourceId: string,
  { schema, table }: { readonly schema: string; readonly table: string },
) =>
  queryOptions({
    queryKey: ['data-sources', dataSourceId, 'tables', schema, table],
    queryFn: ({ signal }) =>
      call('GET /api/data-sources/{dataSourceId}/tables/{table}/preview', {
        params: { dataSourceId, table },
        query: { schema },
        signal,
      }),
  });

/** The models of the tables of a data source; for editors. */
export const modelsQuery = (dataSourceId: string) =>
  queryOptions({
    queryKey: ['data-sources', dataSourceId, 'models'],
    queryFn: ({ signal }) =>
      allPages((query) =>
        call('GET /api/data-sources/{dataSourceId}/models', { params: { dataSourceId }, query, signal }),
      ),
  });
