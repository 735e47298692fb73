import { Button, CloseButton, Group, Paper, Progress, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatBytes } from '../../ui/text/bytes.ts';
import { ApiProblem, Unreachable } from '../../app/api.ts';
import { errorSentence } from '../../ui/problems/message.ts';
import { sizeOf } from '../table-size.ts';
import { mediaTypeOf, type Upload } from './uploads.ts';

/** A file to upload: the name of its table, and its progress. */
export function UploadRow({
  upload: { file, table, state },
  fault,
  replaces,
  rename,
  remove,
  retry,
}: {
  readonly upload: Upload;
  readonly fault: string | undefined;
  readonly replaces: boolean;
  readonly rename: (table: string) => void;
  readonly remove: () => void;
  readonly retry: () => void;
}): ReactNode {
  const isReadable = mediaTypeOf(file.name) !== undefined;
  const isOpen = isReadable && (state.kind === 'chosen' || state.kind === 'failed');
  return (
    <Paper component="li" withBorder p="sm">
      <Group wrap="nowrap" align="flex-start">
        <Stack gap={6} flex={1} miw={0}>
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {file.name}{' '}
            <Text span size="xs" c="dimmed" fw={400}>
              {formatBytes(file.size)}
            </Text>
          </Text>
          {isOpen && (
            <TextInput
              size="xs"
              maw={360}
              label={`Table for ${file.name}`}
              description={replaces ? 'Replaces the whole table of this name' : undefined}
              error={fault}
              value={table}
              onChange={(event) => rename(event.currentTarget.value)}
            />
          )}
          <UploadState state={state} file={file} table={table} />
          {isOpen && state.kind === 'failed' && (
            <div>
              <Button size="xs" variant="default" disabled={fault !== undefined} onClick={retry}>
                Try again
              </Button>
            </div>
          )}
        </Stack>
        <CloseButton
          aria-label={
            state.kind === 'sending' || state.kind === 'reading'
              ? `Cancel ${file.name}`
              : `Remove ${file.name}`
          }
          onClick={remove}
        />
      </Group>
    </Paper>
  );
}

function UploadState({ state, file, table }: Pick<Upload, 'state' | 'file' | 'table'>): ReactNode {
  switch (state.kind) {
    case 'chosen':
      return null;
    case 'waiting':
      return (
        <Text size="xs" c="dimmed">
          Waiting for other uploads
        </Text>
      );
    case 'sending':
    case 'reading': {
      const percent = state.kind === 'reading' ? 100 : (100 * state.sentBytes) / Math.max(file.size, 1);
      return (
        <>
          <Progress.Root size="sm">
            <Progress.Section
              value={percent}
              animated={state.kind === 'reading'}
              aria-label={`Upload of ${file.name}`}
            />
          </Progress.Root>
          <Text size="xs" c="dimmed" role="status">
            {state.kind === 'reading'
              ? `Uploaded. Importing into the table ${table}…`
              : `${formatBytes(state.sentBytes)} of ${formatBytes(file.size)} sent`}
          </Text>
        </>
      );
    }
    case 'done':
      return (
        <Text size="xs" role="status">
          Done: the table {table} has {sizeOf(state.table)}.
        </Text>
      );
    case 'failed':
      return (
        <Text size="xs" c="error" role="alert" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {state.error instanceof ApiProblem || state.error instanceof Unreachable
            ? errorSentence(state.error)
            : (state.error as Error).message}
        </Text>
      );
  }
}
