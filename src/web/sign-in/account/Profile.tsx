import { Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode, SubmitEvent } from 'react';
import type { User } from '#contract/accounts/sessions.ts';
import { call } from '../../app/api.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { fieldOf } from '../../ui/form-fields.ts';
import { notifyDone } from '../../ui/notify.ts';

/** The name that others see. `reason`: why it cannot be changed here. */
export function Profile({
  user,
  isEmailVerified,
  reason,
}: {
  readonly user: User;
  readonly isEmailVerified: boolean;
  readonly reason: string | undefined;
}): ReactNode {
  const client = useQueryClient();
  const rename = useMutation({
    mutationFn: (name: string) => call('POST /api/auth/update-user', { body: { name } }),
    onSuccess: async () => {
      notifyDone('Your name is changed.');
      await Promise.all([
        client.invalidateQueries({ queryKey: ['account'] }),
        client.invalidateQueries({ queryKey: ['session'] }),
      ]);
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    rename.mutate(fieldOf(event.currentTarget, 'name'));
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          name="name"
          autoComplete="name"
          required
          maxLength={200}
          defaultValue={user.name}
          readOnly={reason !== undefined}
        />
        <TextInput
          label="Email"
          value={user.email}
          readOnly
          description={
            isEmailVerified
              ? 'You sign in with this address. It can’t be changed.'
              : 'Not verified: your directory doesn’t confirm that this address is yours.'
          }
        />
        {reason !== undefined && (
          <Text size="sm" c="dimmed">
            {reason}
          </Text>
        )}
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
