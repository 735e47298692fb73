import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { t } from '#shared/language/messages.ts';
import { notifyError } from './notify.ts';

/** Reports that `id` was deleted, with an Undo button. */
export function notifyDeleted(id: string, message: string, undo: () => Promise<void>): void {
  const restore = () => {
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
        <Button size="compact-sm" variant="light" onClick={restore}>
          {t('Undo')}
        </Button>
      </Group>
    ),
  });
}

/** Hides the notification that `id` was deleted, when it was restored elsewhere. */
export const forgetDeleted = (id: string): void => void notifications.hide(id);
