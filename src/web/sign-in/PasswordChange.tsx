import { Checkbox, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode, SubmitEvent } from 'react';
import { call } from '../api.ts';
import { ActionButton } from '../ui/ActionButton.tsx';
import { Failure } from '../ui/Failure.tsx';
import { fieldOf } from '../ui/form-fields.ts';
import { notifyDone } from '../ui/notify.ts';
import { newPassword } from './new-password.ts';

/** A new password for the one before. `reason`: why there is none to change. */
export function PasswordChange({
  email,
  reason,
}: {
  readonly email: string;
  readonly reason: string | undefined;
}): ReactNode {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: ({ form }: { form: HTMLFormElement }) =>
      call('POST /api/auth/change-password', {
        body: {
          currentPassword: fieldOf(form, 'current'),
          newPassword: fieldOf(form, 'new'),
          revokeOtherSessions: fieldOf(form, 'others') !== '',
        },
      }),
    onSuccess: async (_, { form }) => {
      form.reset();
      notifyDone('Your password is changed.');
      await client.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  if (reason !== undefined) return <Text size="sm">{reason}</Text>;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    change.mutate({ form: event.currentTarget });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {/* For password managers, which look for the account beside its password. */}
        <input type="hidden" name="email" value={email} autoComplete="username" />
        <PasswordInput label="Current password" name="current" autoComplete="current-password" required />
        <PasswordInput label="New password" name="new" {...newPassword} />
        <Checkbox name="others" value="yes" defaultChecked label="End my other sessions" />
        {change.error !== null && <Failure error={change.error} />}
        <Group>
          <ActionButton type="submit" loading={change.isPending}>
            Change password
          </ActionButton>
        </Group>
      </Stack>
    </form>
  );
}
