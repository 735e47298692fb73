import { Type } from 'typebox';
import { dataSourceKinds } from '#contract/data-sources/kinds.ts';
import { pageRequest } from '../../base/paging.ts';
import { listDataSources } from '../../data-sources/data-sources.ts';
import { mayUseDataSource } from '../../data-sources/names.ts';
import { dataSourceUrl } from '../addresses.ts';
import { defineTool } from '../tool.ts';
import { Time, Url } from './fields.ts';

export const listSources = defineTool({
  name: 'list_data_sources',
  title: 'List data sources',
  description:
    'Lists the data sources of the organization that you may see, newest first. Only those with `mayQuery` can be described and queried; ' +
    'reports that use the others can still be run.',
  scope: 'read',
  input: Type.Object({
    cursor: Type.Optional(
      Type.String({ maxLength: 200, description: 'The `nextCursor` of the page before' }),
    ),
  }),
  output: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        kind: Type.Enum([...dataSourceKinds]),
        mayQuery: Type.Boolean(),
        updatedAt: Time,
        url: Url,
      }),
    ),
    nextCursor: Type.Optional(Type.String()),
  }),
  run: async ({ database, publicUrl }, { actor, organizationId }, query) => {
    const { items, nextCursor } = await listDataSources(database, actor, organizationId, pageRequest(query));
    const { userId } = actor;
    return {
      // Without connections: the addresses and the names of roles are of no use here.
      items: await Promise.all(
        items.map(async ({ id, name, kind, updatedAt }) => ({
          id,
          name,
          kind,
          mayQuery: await mayUseDataSource(database, { organizationId, id, userId }),
          updatedAt,
          url: dataSourceUrl(publicUrl, id),
        })),
      ),
      ...(nextCursor !== undefined && { nextCursor }),
    };
  },
});
