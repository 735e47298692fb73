import { Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode, SubmitEvent } from 'react';
import type { Organization } from '#contract/organizations/organizations.ts';
import { call } from '../app/api.ts';
import { ActionButton } from '../ui/ActionButton.tsx';
import { Failure } from '../ui/problems/Failure.tsx';
import { fieldOf } from '../ui/form-fields.ts';
import { notifyDone } from '../ui/notify.ts';
import { mayAs } from '../ui/server-data/session.ts';

export function OrganizationName({ organization }: { readonly organization: Organization }): ReactNode {
  const { id: orgId, name, role } = organization;
  const client = useQueryClient();
  const rename = useMutation({
    mutationFn: (body: { name: string }) =>
      call('PATCH /api/organizations/{orgId}', { params: { orgId }, body }),
    onSuccess: () => {
      notifyDone('The organization is renamed.');
      return client.invalidateQueries({ queryKey: ['organizations'] });
    },
  });
  const reason = mayAs(role, 'admin') ? undefined : 'Owners and admins rename the organization.';
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    rename.mutate({ name: fieldOf(event.currentTarget, 'name') });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          name="name"
          required
          maxLength={200}
          defaultValue={name}
          readOnly={reason !== undefined}
        />
        {rename.error !== null && <Failure error={rename.error} />}
        <Group>
          <ActionButton type="submit" reason={reason} loading={rename.isPending}>
            Save name
          </ActionButton>
        </Group>
      </Stack>
    </form>
  );
}
