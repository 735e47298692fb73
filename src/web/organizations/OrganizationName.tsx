import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Organization } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../app/api.ts';
import { Form } from '../ui/forms/Form.tsx';
import { notifyDone } from '../ui/notifications/notify.ts';
import { reasonAgainst } from '../ui/text/permissions.ts';

export function OrganizationName({ organization }: { readonly organization: Organization }): ReactNode {
  const { id: orgId, name, role } = organization;
  const client = useQueryClient();
  const rename = useMutation({
    mutationFn: (body: { name: string }) =>
      call('PATCH /api/organizations/{orgId}', { params: { orgId }, body }),
    onSuccess: () => {
      notifyDone(t('Organization renamed.'));
      return client.invalidateQueries({ queryKey: ['organizations'] });
    },
  });
  const reason = reasonAgainst('organization.change', role);
  return (
    <Form
      error={rename.error}
      action={t('Save name')}
      reason={reason}
      isPending={rename.isPending}
      onSubmit={(field) => rename.mutate({ name: field('name') })}
    >
      <TextInput
        label={t('Name')}
        name="name"
        required
        maxLength={200}
        defaultValue={name}
        readOnly={reason !== undefined}
      />
    </Form>
  );
}
