import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Failure } from './Failure.tsx';

/** Asks before something is done that others notice, and says what will happen. */
export const ConfirmDialog = ({
  title,
  sentences,
  action,
  opened,
  onClose,
  onConfirm,
  isPending,
  error,
}: {
  readonly title: string;
  /** What will happen, one a line. */
  readonly sentences: readonly string[];
  /** What the button says that does it. */
  readonly action: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly isPending: boolean;
  readonly error: unknown;
}): ReactNode => (
  <Modal opened={opened} onClose={onClose} title={title} centered>
    <Stack>
      {sentences.length === 1 ? (
        <Text>{sentences[0]}</Text>
      ) : (
        <List>
          {sentences.map((sentence) => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
        </List>
      )}
      {error !== null && error !== undefined && <Failure error={error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red.9" onClick={onConfirm} loading={isPending}>
          {action}
        </Button>
      </Group>
    </Stack>
  </Modal>
);
