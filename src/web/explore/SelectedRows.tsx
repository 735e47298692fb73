import { Text, Title } from '@mantine/core';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ExploreTarget } from '#contract/explore.ts';
import type { Selection } from '#shared/explore/axes.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../app/api.ts';
import { Waiting } from '../ui/page/Waiting.tsx';
import { Failure } from '../ui/problems/Failure.tsx';
import { RowTable } from '../ui/tables/RowTable.tsx';

const selectedRowsQuery = (target: ExploreTarget, timeZone: string, selections: readonly Selection[]) =>
  queryOptions({
    queryKey: ['explore', 'rows', target, timeZone, selections],
    queryFn: ({ signal }) =>
      call('POST /api/explore/rows', { body: { target, timeZone, selections: [...selections] }, signal }),
    retry: false,
  });

/** The first of the selected rows. */
export function SelectedRows({
  target,
  timeZone,
  selections,
}: {
  readonly target: ExploreTarget;
  readonly timeZone: string;
  readonly selections: readonly Selection[];
}): ReactNode {
  const rows = useQuery({
    ...selectedRowsQuery(target, timeZone, selections),
    placeholderData: keepPreviousData,
  });
  return (
    <section aria-labelledby="rows-heading">
      <Title order={2} fz="h4" id="rows-heading" mb="xs">
        {t('Selected rows')}
      </Title>
      {rows.isPending && <Waiting height={240} />}
      {rows.isError && <Failure error={rows.error} retry={() => void rows.refetch()} />}
      {rows.data?.rowCount === 0 && <Text size="sm">{t('No row is selected.')}</Text>}
      {rows.data !== undefined && rows.data.rowCount > 0 && (
        <>
          <RowTable label={t('Selected rows')} columns={rows.data.columns} rows={rows.data.rows} />
          {rows.data.isCutOff && (
            <Text size="xs" c="dimmed" mt={4}>
              {t('The first {rowCount} of them are shown.', { rowCount: rows.data.rowCount })}
            </Text>
          )}
        </>
      )}
    </section>
  );
}
