import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DeletedTable } from '#contract/data-sources/tables-trash.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../app/api.ts';
import { formatBytes } from '../ui/text/bytes.ts';
import { DeletedList, type DeletedTexts } from './DeletedList.tsx';
import { tablesTrashQuery } from './queries.ts';

const texts: DeletedTexts<DeletedTable> = {
  emptyTitle: t('No tables in the trash'),
  nameOf: ({ name }) => t('the table {name}', { name }),
  noteOf: ({ dataSourceName, sizeBytes }) =>
    t('in {dataSourceName}, {sizeBytes}', { dataSourceName, sizeBytes: formatBytes(sizeBytes) }),
  purgedOf: ({ name }) => t('the table {name} and its rows', { name }),
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
