import { Button, CloseButton, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { formatBytes } from '../../ui/text/bytes.ts';
import { ApiProblem, Unreachable } from '../../app/api.ts';
import { errorSentence } from '../../ui/problems/message.ts';
import { sizeOf } from '../table-size.ts';
import { mediaTypeOf, type Upload } from './uploads.ts';

/** A file to upload: its progress, and what to do next. */
export function UploadRow({
  upload: { file, state },
  open,
  remove,
  retry,
}: {
  readonly upload: Upload;
  /** Opens the preview. */
  readonly open: () => void;
  readonly remove: () => void;
  readonly retry: () => void;
}): ReactNode {
  const isReadable = mediaTypeOf(file.name) !== undefined;
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
          <UploadState state={state} file={file} />
          {isReadable && state.kind === 'sent' && (
            <div>
              <Button
                size="xs"
                onClick={open}
                aria-label={t('Preview and import {name}', { name: file.name })}
              >
                {t('Preview and import')}
              </Button>
            </div>
          )}
          {isReadable && state.kind === 'failed' && (
            <div>
              <Button size="xs" variant="default" onClick={retry}>
                {t('Try again')}
              </Button>
            </div>
          )}
        </Stack>
        <CloseButton
          aria-label={
            state.kind === 'sending'
              ? t('Cancel {name}', { name: file.name })
              : t('Remove {name}', { name: file.name })
          }
          onClick={remove}
        />
      </Group>
    </Paper>
  );
}

function UploadState({ state, file }: Pick<Upload, 'state' | 'file'>): ReactNode {
  switch (state.kind) {
    case 'waiting':
      return (
        <Text size="xs" c="dimmed">
          {t('Waiting for other uploads')}
        </Text>
      );
    case 'sending':
      return (
        <>
          <Progress.Root size="sm">
            <Progress.Section
              value={(100 * state.sentBytes) / Math.max(file.size, 1)}
              aria-label={t('Upload of {name}', { name: file.name })}
            />
          </Progress.Root>
          <Text size="xs" c="dimmed" role="status">
            {t('{sentBytes} of {size} sent', {
              sentBytes: formatBytes(state.sentBytes),
              size: formatBytes(file.size),
            })}
          </Text>
        </>
      );
    case 'sent':
      return null;
    case 'done':
      return (
        <Text size="xs" role="status">
          {t('Done: the table {name} has {size}.', { name: state.table.name, size: sizeOf(state.table) })}
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
