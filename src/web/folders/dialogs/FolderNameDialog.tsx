import { Modal, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { refreshFolders } from '../../ui/folders/queries.ts';

/** Asks for the name of a new or renamed folder. */
export function FolderNameDialog({
  title,
  action,
  name = '',
  save: send,
  close,
}: {
  readonly title: string;
  readonly action: string;
  readonly name?: string;
  readonly save: (name: string) => Promise<unknown>;
  readonly close: () => void;
}): ReactNode {
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: send,
    onSuccess: async () => {
      await refreshFolders(client);
      close();
    },
  });
  return (
    <Modal opened onClose={close} title={title}>
      <Form
        error={save.error}
        action={action}
        isPending={save.isPending}
        onSubmit={(field) => save.mutate(field('name'))}
        onCancel={close}
      >
        <TextInput
          label={t('Name')}
          name="name"
          defaultValue={name}
          maxLength={200}
          required
          data-autofocus
          autoComplete="off"
        />
      </Form>
    </Modal>
  );
}
