import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Failure } from './problems/Failure.tsx';

/** Asks before something is done that others notice, or that is not undone, and says what will happen. */
export const ConfirmDialog = ({
  title,
  sentences,
  children,
  action,
  wayBack = 'Cancel',
  opened,
  onClose,
  onConfirm,
  isPending = false,
  isWaiting = false,
  error,
}: {
  readonly title: string;
  /** What will happen, one a line. */
  readonly sentences: readonly string[];
  /** What else has to be known or chosen. */
  readonly children?: ReactNode;
  /** What the button says that does it. */
  readonly action: string;
  /** What the button says that does nothing. */
  readonly wayBack?: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly isPending?: boolean;
  /** Whether what `children` tell is on its way, and nothing can be decided before. */
  readonly isWaiting?: boolean;
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
          {wayBack}
        </Button>
        <Button color="red.9" onClick={onConfirm} loading={isPending} disabled={isWaiting}>
          {action}
        </Button>
      </Group>
    </Stack>
  </Modal>
);
