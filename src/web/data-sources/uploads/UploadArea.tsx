import { Button, FileButton, Group, Paper, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useBlocker } from '@tanstack/react-router';
import { useState, type DragEvent, type ReactNode } from 'react';
import { acceptedFiles, tableNameFault } from './uploads.ts';
import { UploadRow } from './UploadRow.tsx';
import classes from './UploadArea.module.css';
import { useUploads } from './use-uploads.ts';

/** The area for dropping or choosing files, with the progress of each upload. */
export function UploadArea({
  dataSourceId,
  existing,
}: {
  readonly dataSourceId: string;
  /** The names of the existing tables. */
  readonly existing: ReadonlySet<string>;
}): ReactNode {
  const [isOver, setIsOver] = useState(false);
  const { uploads, isBusy, choose, rename, remove, start } = useUploads(dataSourceId);
  useBlocker({
    shouldBlockFn: () => false,
    enableBeforeUnload: isBusy,
    disabled: !isBusy,
  });
  const faultOf = (id: string, table: string) =>
    tableNameFault(
      table,
      uploads.filter((other) => other.id !== id && other.state.kind !== 'done').map((other) => other.table),
    );
  const chosen = uploads.filter(({ state }) => state.kind === 'chosen');
  const areNamesValid = chosen.every(({ id, table }) => faultOf(id, table) === undefined);

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
              Drop files here
            </Text>
            <Text size="xs" c="dimmed">
              CSV, TSV, JSON, NDJSON or Parquet, up to 2 GB each. Each file becomes a table.
            </Text>
          </div>
          <FileButton
            multiple
            accept={acceptedFiles}
            onChange={choose}
            inputProps={{ 'aria-label': 'Files' }}
          >
            {(props) => (
              <Button variant="default" {...props}>
                Choose files
              </Button>
            )}
          </FileButton>
        </Group>
      </Paper>
      {uploads.length > 0 && (
        <Stack component="ul" gap="xs" className={classes.list} aria-label="Files to upload">
          {uploads.map((upload) => (
            <UploadRow
              key={upload.id}
              upload={upload}
              fault={faultOf(upload.id, upload.table)}
              replaces={existing.has(upload.table)}
              rename={(table) => rename(upload.id, table)}
              remove={() => remove(upload.id)}
              retry={() => start([upload.id])}
            />
          ))}
        </Stack>
      )}
      {chosen.length > 0 && (
        <div>
          <Button disabled={!areNamesValid} onClick={() => start(chosen.map(({ id }) => id))}>
            {chosen.length === 1 ? 'Upload 1 file' : `Upload ${chosen.length} files`}
          </Button>
        </div>
      )}
    </Stack>
  );
}
