import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DeletedTable } from '#contract/data-sources/tables-trash.ts';
import { call } from '../app/api.ts';
import { formatBytes } from '../ui/text/bytes.ts';
import { DeletedList, type DeletedTexts } from './DeletedList.tsx';
import { tablesTrashQuery } from './queries.ts';

const texts: DeletedTexts<DeletedTable> = {
  emptyTitle: 'No tables in the trash',
  nameOf: ({ name }) => `the table ${name}`,
  noteOf: ({ dataSourceName, sizeBytes }) => `in ${dataSourceName}, ${formatBytes(sizeBytes)}`,
  purgedOf: ({ name }) => `the table ${name} and its rows`,
};

/** The deleted tables of an organization. */
export function TablesTrash({ organizationId }: { readonly organizationId: string }): ReactNode {
  return (
    <DeletedList
      trash={useInfiniteQuery(tablesTrashQuery(organizationId))}
      texts={texts}
      restore={(id) => call('POST /api/trash/tables/{id}/restore', { params: { id } })}
      purge={(id) => call('DELETE /api/trash/tables/{id}', { params: { id } })}
    />
  );
}
