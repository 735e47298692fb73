import { Button, FileButton, Group, Paper, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useState, type DragEvent, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { ImportDialog, type Imported } from './ImportDialog.tsx';
import { acceptedFiles, suggestSourceName } from './uploads.ts';
import { UploadRow } from './UploadRow.tsx';
import classes from './UploadArea.module.css';
import { useUploads } from './use-uploads.ts';

/** The area for dropping or choosing files. Each is uploaded, then previewed and imported, one after the other. */
export function UploadArea({
  organizationId,
  dataSourceId,
  newSourceName,
  existing,
  onImported,
}: {
  readonly organizationId: string;
  /** Left out for a new data source, which the first file creates. */
  readonly dataSourceId?: string;
  /** The name of the new data source; that of the file if it is left out. */
  readonly newSourceName?: string | undefined;
  /** The names of the existing tables. */
  readonly existing: ReadonlySet<string>;
  /** Called after the last file is imported. */
  readonly onImported?: (dataSourceId: string) => void;
}): ReactNode {
  const client = useQueryClient();
  const [isOver, setIsOver] = useState(false);
  const [createdId, setCreatedId] = useState<string>();
  /** Files whose preview was closed. */
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const { uploads, isBusy, choose, remove, retry, finish } = useUploads(organizationId);
  useBlocker({
    shouldBlockFn: () => false,
    enableBeforeUnload: isBusy,
    disabled: !isBusy,
  });
  const sourceId = dataSourceId ?? createdId;
  const shown = uploads.find(({ id, state }) => state.kind === 'sent' && !closed.has(id));
  const close = (id: string) => setClosed((ids) => new Set([...ids, id]));
  const imported = async (id: string, result: Imported) => {
    finish(id, result.table);
    setCreatedId(result.dataSourceId);
    await client.invalidateQueries({ queryKey: ['data-sources'] });
    const isLast = uploads.every((other) => other.id === id || ['done', 'failed'].includes(other.state.kind));
    if (isLast) onImported?.(result.dataSourceId);
  };

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    choose([...event.dataTransfer.files]);
  };
  return (
    <Stack gap="sm">
      <Paper
        className={classes.area}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <Group justify="center" gap="md">
          <IconUpload size={24} aria-hidden />
          <div>
            <Text size="sm" fw={500}>
              {t('Drop files here')}
            </Text>
            <Text size="xs" c="dimmed">
              {t('CSV, TSV, JSON, NDJSON or Parquet, up to 2 GB each. Each file becomes a table.')}
            </Text>
          </div>
          <FileButton
            multiple
            accept={acceptedFiles}
            onChange={choose}
            inputProps={{ 'aria-label': t('Files') }}
          >
            {(props) => (
              <Button variant="default" {...props}>
                {t('Choose files')}
              </Button>
            )}
          </FileButton>
        </Group>
      </Paper>
      {uploads.length > 0 && (
        <Stack component="ul" gap="xs" className={classes.list} aria-label={t('Files to upload')}>
          {uploads.map((upload) => (
            <UploadRow
              key={upload.id}
              upload={upload}
              open={() => setClosed((ids) => new Set([...ids].filter((id) => id !== upload.id)))}
              remove={() => remove(upload.id)}
              retry={() => retry(upload.id)}
            />
          ))}
        </Stack>
      )}
      {shown?.state.kind === 'sent' && (
        <ImportDialog
          key={shown.id}
          fileName={shown.file.name}
          uploadId={shown.state.uploadId}
          suggestedTable={shown.table}
          target={
            sourceId === undefined
              ? { newSourceName: newSourceName ?? suggestSourceName(shown.file.name) }
              : { dataSourceId: sourceId }
          }
          existing={existing}
          close={() => close(shown.id)}
          onImported={(result) => imported(shown.id, result)}
        />
      )}
    </Stack>
  );
}
