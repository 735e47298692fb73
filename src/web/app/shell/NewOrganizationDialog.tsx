import { Modal, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { call } from '../api.ts';
import { paths } from '../paths.ts';
import { Form } from '../../ui/forms/Form.tsx';

/** Asks for a name, creates the organization, and opens it. */
export function NewOrganizationDialog({
  opened,
  onClose,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
}): ReactNode {
  return (
    <Modal opened={opened} onClose={onClose} title={t('New organization')}>
      <NewOrganizationForm onClose={onClose} />
    </Modal>
  );
}

function NewOrganizationForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: (name: string) => call('POST /api/organizations', { body: { name } }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['organizations'] });
      onClose();
      await navigate({ to: paths.dashboards, params: { orgId: id } });
    },
  });
  return (
    <Form
      error={create.error}
      action={t('Create')}
      isPending={create.isPending}
      onSubmit={(field) => create.mutate(field('name'))}
      onCancel={onClose}
    >
      <TextInput
        label={t('Name')}
        name="name"
        description={t('You’ll be its owner. Nobody else has access until you invite them.')}
        required
        maxLength={200}
        data-autofocus
        autoComplete="off"
      />
    </Form>
  );
}
