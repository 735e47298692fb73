import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { Failure } from '../problems/Failure.tsx';

/** Asks for confirmation before something that affects others or can't be undone, and says what will happen. */
export const ConfirmDialog = ({
  title,
  sentences,
  children,
  action,
  cancelLabel = t('Cancel'),
  opened,
  onClose,
  onConfirm,
  isPending = false,
  isLoading = false,
  error,
}: {
  readonly title: string;
  /** What will happen, one sentence per line. */
  readonly sentences: readonly string[];
  /** Further information and choices. */
  readonly children?: ReactNode;
  /** The label of the button that confirms. */
  readonly action: string;
  /** The label of the button that cancels. */
  readonly cancelLabel?: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly isPending?: boolean;
  /** Whether `children` are still loading, so that it can't be confirmed yet. */
  readonly isLoading?: boolean;
  readonly error?: unknown;
}): ReactNode => (
  <Modal opened={opened} onClose={onClose} title={title}>
    <Stack>
      {sentences.length === 1 ? (
        <Text style={{ overflowWrap: 'anywhere' }}>{sentences[0]}</Text>
      ) : (
        <List>
          {sentences.map((sentence) => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
        </List>
      )}
      {children}
      {error !== null && error !== undefined && <Failure error={error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {cancelLabel}
        </Button>
        <Button color="red.9" onClick={onConfirm} loading={isPending} disabled={isLoading}>
          {action}
        </Button>
      </Group>
    </Stack>
  </Modal>
);
