import { Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode, SubmitEvent } from 'react';
import { call } from '../../app/api.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { isToldByFields } from '../../ui/problems/field-faults.ts';
import { fieldOf } from '../../ui/form-fields.ts';
import { notifyDone } from '../../ui/notify.ts';
import { counted } from '../../ui/text/words.ts';
import { NewPasswordField } from '../NewPasswordField.tsx';

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
        },
      }),
    onSuccess: async ({ endedSessions }, { form }) => {
      form.reset();
      const others =
        endedSessions === 0 ? '' : ` You were signed out of ${counted(endedSessions, 'other session')}.`;
      notifyDone(`Your password was changed.${others}`);
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
        <NewPasswordField label="New password" name="new" pointer="/newPassword" error={change.error} />
        <Text size="sm" c="dimmed">
          You’ll be signed out of your other sessions.
        </Text>
        {change.error !== null && !isToldByFields(change.error, ['/newPassword']) && (
          <Failure error={change.error} />
        )}
        <Group>
          <ActionButton type="submit" loading={change.isPending}>
            Change password
          </ActionButton>
        </Group>
      </Stack>
    </form>
  );
}
