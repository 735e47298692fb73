import { Modal, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Passkey } from '#contract/accounts/passkeys.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../../../app/api.ts';
import { Form } from '../../../ui/forms/Form.tsx';

export function RenamePasskeyDialog({
  passkey: { id: passkeyId, name },
  onClose,
  onRenamed,
}: {
  readonly passkey: Passkey;
  readonly onClose: () => void;
  readonly onRenamed: () => unknown;
}): ReactNode {
  const renaming = useMutation({
    mutationFn: (newName: string) =>
      call('PATCH /api/auth/passkeys/{passkeyId}', { params: { passkeyId }, body: { name: newName } }),
    onSuccess: onRenamed,
  });
  return (
    <Modal opened onClose={onClose} title={t('Rename the passkey')} centered>
      <Form
        error={renaming.error}
        action={t('Rename')}
        isPending={renaming.isPending}
        onCancel={onClose}
        onSubmit={(field) => renaming.mutate(field('name'))}
      >
        <TextInput
          label={t('Name')}
          name="name"
          required
          maxLength={100}
          defaultValue={name}
          data-autofocus
        />
      </Form>
    </Modal>
  );
}
