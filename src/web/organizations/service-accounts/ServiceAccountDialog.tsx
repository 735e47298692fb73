import { Modal, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { ServiceAccount } from '#contract/credentials/service-accounts.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { faultAt } from '../../ui/problems/field-faults.ts';
import { roleNames } from '../../ui/text/roles.ts';
import { roleDescriptions } from '../members/rules.ts';

type AccountRole = ServiceAccount['role'];
const accountRoles = ['viewer', 'editor', 'admin'] as const satisfies readonly AccountRole[];

/** Asks for the name and the role of a service account. */
export function ServiceAccountDialog({
  orgId,
  edited,
  onClose,
}: {
  readonly orgId: string;
  /** Undefined while the dialog is closed. */
  readonly edited: 'new' | ServiceAccount | undefined;
  readonly onClose: () => void;
}): ReactNode {
  // The dialog still shows it while it closes.
  const [shown, setShown] = useState(edited);
  if (edited !== undefined && edited !== shown) setShown(edited);
  return (
    <Modal
      opened={edited !== undefined}
      onClose={onClose}
      title={
        shown === undefined || shown === 'new'
          ? t('Create a service account')
          : t('Edit the service account {name}', { name: shown.name })
      }
    >
      <AccountForm orgId={orgId} before={shown === 'new' ? undefined : shown} onClose={onClose} />
    </Modal>
  );
}

function AccountForm({
  orgId,
  before,
  onClose,
}: {
  readonly orgId: string;
  readonly before: ServiceAccount | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  const [role, setRole] = useState<AccountRole>(before?.role ?? 'viewer');
  const save = useMutation({
    mutationFn: async (name: string) => {
      if (before === undefined) {
        await call('POST /api/organizations/{orgId}/service-accounts', {
          params: { orgId },
          body: { name, role },
        });
        return;
      }
      const params = { orgId, userId: before.id };
      if (name !== before.name)
        await call('PATCH /api/organizations/{orgId}/service-accounts/{userId}', { params, body: { name } });
      if (role !== before.role)
        await call('PATCH /api/organizations/{orgId}/members/{userId}', { params, body: { role } });
    },
    onSuccess: () => {
      notifyDone(before === undefined ? t('Service account created.') : t('Service account saved.'));
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['members', orgId] }),
  });
  return (
    <Form
      error={save.error}
      pointers={['/name']}
      action={before === undefined ? t('Create the service account') : t('Save')}
      isPending={save.isPending}
      onSubmit={(field) => save.mutate(field('name').trim())}
      onCancel={onClose}
    >
      <TextInput
        name="name"
        label={t('Name')}
        description={t('What it does, such as “Deployment”. Others see it as the author of what it changes.')}
        required
        maxLength={200}
        defaultValue={before?.name ?? ''}
        data-autofocus
        error={faultAt(save.error, '/name')}
      />
      <NativeSelect
        label={t('Role')}
        description={roleDescriptions[role]}
        data={accountRoles.map((value) => ({ value, label: roleNames[value] }))}
        value={role}
        // Sound because the options are these roles.
        onChange={(event) => setRole(event.currentTarget.value as AccountRole)}
      />
    </Form>
  );
}
