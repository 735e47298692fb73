import { Modal, Select, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { refreshFolders, useFolders } from '../../ui/folders/queries.ts';
import { FailedItems } from '../../ui/selection/FailedItems.tsx';
import { noFolder, pathText, targetsOf } from '../../ui/folders/tree.ts';

/** Asks for the folder to move something to: a list of paths that can be searched. */
export function MoveDialog({
  orgId,
  title,
  from,
  moved,
  move: send,
  onDone,
  close,
}: {
  readonly orgId: string;
  readonly title: string;
  /** The folder that it is in, or `none`; undefined if it is in several. */
  readonly from: string | undefined;
  /** The folder that is moved, if it is one. */
  readonly moved?: string;
  /** Returns what couldn't be moved, with why. */
  readonly move: (
    folderId: string | null,
  ) => Promise<readonly { readonly id: string; readonly name: string; readonly message: string }[]>;
  /** Called when everything has been moved. */
  readonly onDone?: (() => void) | undefined;
  readonly close: () => void;
}): ReactNode {
  const client = useQueryClient();
  const { data: folders = [] } = useFolders(orgId);
  const [chosen, setChosen] = useState<string | null>(null);
  const move = useMutation({
    mutationFn: (target: string) => send(target === noFolder ? null : target),
    onSuccess: async (failed, target) => {
      await refreshFolders(client);
      if (failed.length > 0) return;
      const path = pathText(folders, target);
      notifyDone(path === '' ? t('Moved out of all folders.') : t('Moved to {path}.', { path }));
      onDone?.();
      close();
    },
  });
  const targets = [
    { value: noFolder, label: t('No folder') },
    ...targetsOf(folders, moved).map(({ id, path }) => ({ value: id, label: path })),
  ].filter(({ value }) => value !== from);
  return (
    <Modal opened onClose={close} title={title}>
      <Form
        error={move.error}
        action={t('Move')}
        reason={chosen === null ? t('Choose a folder first.') : undefined}
        isPending={move.isPending}
        onSubmit={() => chosen !== null && move.mutate(chosen)}
        onCancel={close}
      >
        {from !== undefined && pathText(folders, from) !== '' && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {t('It is in {path}.', { path: pathText(folders, from) })}
          </Text>
        )}
        <Select
          label={t('Move to')}
          description={t('Folders that you can edit. People who may see a folder may see what is in it.')}
          placeholder={t('Name of a folder')}
          data={targets}
          value={chosen}
          onChange={setChosen}
          limit={100}
          openOnFocus={false}
          searchable
          allowDeselect={false}
          nothingFoundMessage={t('No folder that you can edit has this name')}
          data-autofocus
        />
        {move.data !== undefined && <FailedItems title={t('Not moved')} items={move.data} />}
      </Form>
    </Modal>
  );
}
