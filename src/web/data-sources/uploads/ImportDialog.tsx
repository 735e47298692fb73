import { Checkbox, Group, LoadingOverlay, Modal, Stack, Text, TextInput, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { ChosenOptions, ImportPreview } from '#contract/data-sources/imports.ts';
import { t } from '#shared/language/messages.ts';
import { call, type ResponseOf } from '../../app/api.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { Waiting } from '../../ui/page/Waiting.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { ImportFaults } from './ImportFaults.tsx';
import { ImportSettings } from './ImportSettings.tsx';
import { ImportTable } from './ImportTable.tsx';
import { previewQuery } from './preview-query.ts';
import { tableNameFault } from './uploads.ts';

export type Imported = ResponseOf<'POST /api/uploads/{uploadId}/import'>;

type Target = { readonly dataSourceId: string } | { readonly newSourceName: string };

/** Shows what a file becomes as a table, lets a person correct what was guessed, and imports it. */
export function ImportDialog({
  fileName,
  uploadId,
  suggestedTable,
  target,
  existing,
  close,
  onImported,
}: {
  readonly fileName: string;
  readonly uploadId: string;
  readonly suggestedTable: string;
  readonly target: Target;
  readonly existing: ReadonlySet<string>;
  readonly close: () => void;
  readonly onImported: (imported: Imported) => Promise<void>;
}): ReactNode {
  const isNarrow = useMediaQuery('(max-width: 48em)');
  const [chosen, setChosen] = useState<ChosenOptions>({});
  const [table, setTable] = useState(suggestedTable);
  const [sourceName, setSourceName] = useState('newSourceName' in target ? target.newSourceName : '');
  const [skipsFaults, setSkipsFaults] = useState(false);
  const preview = useQuery(previewQuery(uploadId, chosen));
  const { data } = preview;
  const run = useMutation({
    mutationFn: () =>
      call('POST /api/uploads/{uploadId}/import', {
        params: { uploadId },
        body: {
          table,
          skipsFaults,
          ...(data?.options && { options: data.options }),
          ...('dataSourceId' in target ? target : { newSourceName: sourceName }),
        },
      }),
    onSuccess: onImported,
  });
  const change = (options: ChosenOptions) => {
    run.reset();
    setSkipsFaults(false);
    setChosen(options);
  };
  const isFaulty = data !== undefined && data.brokenRowCount + data.badValueCount > 0;
  const nameFault = tableNameFault(table, []);
  const reason =
    preview.isFetching || data === undefined
      ? t('The file is being read.')
      : preview.isError
        ? t('The file can’t be read with these settings.')
        : isFaulty && !skipsFaults
          ? t('Correct the settings, or choose to import the file without its faults.')
          : (nameFault ??
            (sourceName.trim() === '' && !('dataSourceId' in target) ? t('Enter a name.') : undefined));
  return (
    <Modal
      opened
      onClose={close}
      size="min(1200px, 96vw)"
      fullScreen={isNarrow}
      title={t('Import {fileName}', { fileName })}
      styles={{ title: { overflowWrap: 'anywhere' } }}
    >
      <Stack gap="md">
        <Group align="flex-start" gap="sm">
          {'newSourceName' in target && (
            <TextInput
              label={t('Data source')}
              required
              maxLength={200}
              value={sourceName}
              onChange={(event) => setSourceName(event.currentTarget.value)}
            />
          )}
          <TextInput
            label={t('Table')}
            required
            value={table}
            error={nameFault}
            description={existing.has(table) ? t('Replaces the whole table of this name') : undefined}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            onChange={(event) => setTable(event.currentTarget.value)}
          />
          {data?.options !== undefined && (
            <ImportSettings options={data.options} chosen={chosen} change={change} />
          )}
        </Group>
        {preview.isPending && <Waiting height={240} />}
        {preview.isError && <Failure error={preview.error} retry={() => void preview.refetch()} />}
        {data !== undefined && !preview.isError && (
          <Stack gap="sm" pos="relative">
            <LoadingOverlay visible={preview.isFetching} zIndex={2} />
            <Facts preview={data} />
            <ImportTable
              preview={data}
              changeColumns={data.options && ((columns) => change({ ...chosen, columns }))}
            />
            {isFaulty && (
              <>
                <ImportFaults preview={data} />
                <Checkbox
                  label={t(
                    'Import anyway: leave out broken rows, and leave values empty that don’t fit their column',
                  )}
                  checked={skipsFaults}
                  onChange={(event) => setSkipsFaults(event.currentTarget.checked)}
                />
              </>
            )}
          </Stack>
        )}
        {run.isError && <Failure error={run.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <ActionButton reason={reason} loading={run.isPending} onClick={() => run.mutate()}>
            {data === undefined
              ? t('Import')
              : t('Import {rowCount, plural, one {# row} other {# rows}}', { rowCount: data.rowCount })}
          </ActionButton>
        </Group>
      </Stack>
    </Modal>
  );
}

const Facts = ({
  preview: { rowCount, columns, rows, notes },
}: {
  readonly preview: ImportPreview;
}): ReactNode => (
  <div>
    <Text size="sm" role="status">
      {t(
        '{rowCount, plural, one {# row} other {# rows}}, {columnCount, plural, one {# column} other {# columns}}',
        {
          rowCount,
          columnCount: columns.length,
        },
      )}
      {rows.length < rowCount && t('; the first {count} rows are shown', { count: rows.length })}
    </Text>
    {notes.map((note) => (
      <Text key={note} size="sm">
        {note}
      </Text>
    ))}
  </div>
);
