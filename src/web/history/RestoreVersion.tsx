import { Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { ActionButton } from '../ui/actions/ActionButton.tsx';
import { notifyDone, notifyError } from '../ui/notifications/notify.ts';
import { historyCalls } from './calls.ts';
import type { RecordRef } from './queries.ts';

/** Saves an old version again as the newest one. The versions between them stay in the history. */
export function RestoreVersion({
  record: { kind, id },
  version,
  newest,
}: {
  readonly record: RecordRef;
  readonly version: number;
  readonly newest: number;
}): ReactNode {
  const client = useQueryClient();
  const restore = useMutation({
    mutationFn: () => historyCalls[kind].restore(id, `${version}`),
    onSuccess: () => notifyDone(t('Restored version {version}.', { version })),
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: [`${kind}s`] }),
  });
  return (
    <Group>
      <ActionButton
        variant="default"
        size="xs"
        reason={version === newest ? t('This is the current version.') : undefined}
        loading={restore.isPending}
        onClick={() => restore.mutate()}
      >
        {t('Restore version {version}', { version })}
      </ActionButton>
    </Group>
  );
}
