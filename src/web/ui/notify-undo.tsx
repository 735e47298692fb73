import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { notifyError } from './notify.ts';

/** Tells that `id` was deleted, with a button that takes it back; it stays long enough to think again. */
export function notifyDeleted(id: string, message: string, undo: () => Promise<void>): void {
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

/** Takes back what was told of the deletion of `id`, which has come back by another way. */
export const forgetDeleted = (id: string): void => void notifications.hide(id);
