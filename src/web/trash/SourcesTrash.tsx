import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DeletedDataSource } from '#contract/data-sources/sources-trash.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../app/api.ts';
import { sourceKinds } from '../data-sources/kinds/registry.ts';
import { useOrganization } from '../ui/server-data/session.ts';
import { reasonAgainst } from '../ui/text/permissions.ts';
import { DeletedList, type DeletedTexts } from './DeletedList.tsx';
import { sourcesTrashQuery } from './queries.ts';

/** The deleted data sources of an organization. Which ones a member can restore depends on their kinds. */
export function SourcesTrash({ organizationId }: { readonly organizationId: string }): ReactNode {
  const role = useOrganization(organizationId)?.role;
  const texts: DeletedTexts<DeletedDataSource> = {
    emptyTitle: t('No data sources in the trash'),
    nameOf: ({ name }) => t('the data source “{name}”', { name }),
    noteOf: ({ kind }) => sourceKinds[kind].label,
    purgedOf: ({ name, kind }) =>
      t('“{name}” and {storedData}', { name, storedData: sourceKinds[kind].storedData }),
    reasonOf: ({ kind }) => role && reasonAgainst(sourceKinds[kind].manage, role),
  };
  return (
    <DeletedList
      trash={useInfiniteQuery(sourcesTrashQuery(organizationId))}
      texts={texts}
      restore={(id) => call('POST /api/trash/data-sources/{id}/restore', { params: { id } })}
      purge={(id) => call('DELETE /api/trash/data-sources/{id}', { params: { id } })}
    />
  );
}
