import { Button, Group, Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Asks whether a draft shall go for good. */
export const DiscardDialog = ({
  opened,
  onClose,
  onDiscard,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onDiscard: () => void;
}): ReactNode => (
  <Modal opened={opened} onClose={onClose} title="Discard your draft?" centered>
    <Text>What you changed and did not save goes for good. The dashboard stays as it was saved last.</Text>
    <Group justify="flex-end" mt="md">
      <Button variant="default" onClick={onClose} data-autofocus>
        Keep it
      </Button>
      <Button color="red.9" onClick={onDiscard}>
        Discard
      </Button>
    </Group>
  </Modal>
);
