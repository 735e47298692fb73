import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { notifyError } from './notify.ts';

/** Tells that something was done, with a button that takes it back; it stays long enough to think again. */
export function notifyUndoable(message: string, undo: () => Promise<void>): void {
  const id = crypto.randomUUID();
  const takeBack = () => {
    notifications.hide(id);
    void undo().catch(notifyError);
  };
  notifications.show({
    id,
    color: 'teal',
    autoClose: 15_000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {message}
        </Text>
        <Button size="compact-sm" variant="light" onClick={takeBack}>
          Undo
        </Button>
      </Group>
    ),
  });
}
