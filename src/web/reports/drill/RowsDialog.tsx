import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call, callForFile } from '../../app/api.ts';
import { fileNameOf, saveFile } from '../../ui/browser/save-file.ts';
import { notifyError } from '../../ui/notifications/notify.ts';
import { Waiting } from '../../ui/page/Waiting.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { ResultTable } from '../../visualizations/table/ResultTable.tsx';
import type { ResultRows } from '#charts/values/result-values.ts';
import { t } from '#shared/language/messages.ts';
import type { ParameterValues } from '../parameters/search.ts';
import { resultFacts } from '../result-facts.ts';
import type { MarkValues } from './mark-values.ts';

/** What the rows behind marks are requested with. */
export interface DrillRequest {
  readonly reportId: string;
  readonly title: string;
  readonly parameters: ParameterValues;
  readonly marks: readonly MarkValues[];
  /** The index of a target; undefined for the rows of a built query. */
  readonly target?: number;
}

/** The rows behind marks of a report. */
export function RowsDialog({
  request: { reportId, title, ...request },
  onClose,
  children,
}: {
  readonly request: DrillRequest;
  readonly onClose: () => void;
  /** Further actions. */
  readonly children?: ReactNode;
}): ReactNode {
  const body = { ...request, marks: [...request.marks] };
  const rows = useQuery({
    queryKey: ['reports', reportId, 'drill', body],
    queryFn: ({ signal }) =>
      call('POST /api/reports/{reportId}/drill', { params: { reportId }, body, signal }),
    retry: false,
  });
  const download = () =>
    void callForFile('POST /api/reports/{reportId}/drill', 'text/csv', { params: { reportId }, body })
      .then((blob) => saveFile(blob, fileNameOf(title, 'csv')))
      .catch(notifyError);
  return (
    <RowsModal title={title} onClose={onClose}>
      {rows.isPending && <Waiting height={300} />}
      {rows.isError && <Failure error={rows.error} retry={() => void rows.refetch()} />}
      {rows.data !== undefined && (
        <>
          <Group justify="space-between" gap="xs">
            <Text size="sm" c="dimmed" role="status">
              {resultFacts(rows.data)}
            </Text>
            <Group gap="xs">
              {children}
              <Button
                size="xs"
                variant="default"
                leftSection={<IconDownload size={16} aria-hidden />}
                onClick={download}
              >
                {t('Download as CSV')}
              </Button>
            </Group>
          </Group>
          <RowsTable title={title} rows={rows.data} />
        </>
      )}
    </RowsModal>
  );
}

/** Rows of a result that marks stand for. */
export interface ShownRows extends ResultRows {
  readonly title: string;
}

/** The rows of the result of a report that marks stand for, which the page already has. */
export function ShownRowsDialog({
  shown: { title, ...rows },
  onClose,
}: {
  readonly shown: ShownRows;
  readonly onClose: () => void;
}): ReactNode {
  return (
    <RowsModal title={title} onClose={onClose}>
      <Text size="sm" c="dimmed" role="status">
        {t('{rowCount, plural, one {# row} other {# rows}}', { rowCount: rows.rows.length })}
      </Text>
      <RowsTable title={title} rows={rows} />
    </RowsModal>
  );
}

function RowsModal({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Modal opened onClose={onClose} title={title} size="xl">
      <Stack gap="sm">{children}</Stack>
    </Modal>
  );
}

/** As high as the rows, their head and the search need, and at most most of the window. */
function RowsTable({ title, rows }: { readonly title: string; readonly rows: ResultRows }): ReactNode {
  const height = `min(60vh, ${rows.rows.length * 30 + 90}px)`;
  return (
    <div style={{ display: 'flex', flexDirection: 'column', height }}>
      <ResultTable result={rows} name={title} />
    </div>
  );
}
