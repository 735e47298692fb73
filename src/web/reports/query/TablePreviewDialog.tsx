import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import { t } from '#shared/language/messages.ts';
import { tablePreviewQuery } from '../../ui/server-data/data-source-queries.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { RowTable } from '../../ui/tables/RowTable.tsx';
import { Waiting } from '../../ui/page/Waiting.tsx';

/** The first rows of a table. */
export function TablePreviewDialog({
  dataSourceId,
  table: { schema, name },
  close,
}: {
  readonly dataSourceId: string;
  readonly table: SourceTable;
  readonly close: () => void;
}): ReactNode {
  const preview = useQuery(tablePreviewQuery(dataSourceId, { schema, table: name }));
  return (
    <Modal opened onClose={close} size="xl" title={t('First rows of {name}', { name })}>
      {preview.isPending && <Waiting height={320} />}
      {preview.isError && <Failure error={preview.error} retry={() => void preview.refetch()} />}
      {preview.isSuccess && (
        <RowTable
          label={t('First rows of {name}', { name })}
          columns={preview.data.columns}
          rows={preview.data.rows}
        />
      )}
    </Modal>
  );
}
