import { Button, PasswordInput, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type SubmitEvent, type ReactNode } from 'react';
import { call } from '../api.ts';
import { paths } from '../paths.ts';
import { Failure } from '../ui/Failure.tsx';
import { fieldOf } from '../ui/form-fields.ts';
import { BarePage } from './BarePage.tsx';

/** What a link of an invitation leads to; its token is behind `#`, where no log has it. */
export function InvitationPage(): ReactNode {
  const [token] = useState(() => location.hash.slice(1));
  const navigate = useNavigate();
  const client = useQueryClient();
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => call('POST /api/invitations/read', { body: { token }, signal }),
    staleTime: Infinity,
  });
  const join = useMutation({
    mutationFn: async ({ name, password }: { name: string; password: string }) => {
      const { email, hasAccount } = invitation.data ?? { email: '', hasAccount: false };
      if (!hasAccount) return call('POST /api/invitations/sign-up', { body: { token, name, password } });
      await call('POST /api/auth/sign-in/email', { body: { email, password } });
      return call('POST /api/invitations/accept', { body: { token } });
    },
    onSuccess: () => {
      client.clear();
      void navigate({ to: paths.home });
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    join.mutate({ name: fieldOf(form, 'name'), password: fieldOf(form, 'password') });
  };
  if (invitation.error !== null) {
    return (
      <BarePage title="You are invited">
        <Failure error={invitation.error} />
      </BarePage>
    );
  }
  if (invitation.data === undefined) {
    return (
      <BarePage title="You are invited">
        <Skeleton h={200} />
      </BarePage>
    );
  }
  const { email, role, organizationName, hasAccount } = invitation.data;
  return (
    <BarePage title="You are invited">
      <Text>
        {hasAccount ? 'Sign in' : 'Create your account'} to join {organizationName} as {role}.
      </Text>
      <form onSubmit={submit}>
        <Stack>
          {!hasAccount && (
            <TextInput label="Your name" name="name" autoComplete="name" required maxLength={200} />
          )}
          <TextInput label="E-mail" name="email" value={email} readOnly autoComplete="username" />
          <PasswordInput
            label="Password"
            name="password"
            required
            autoComplete={hasAccount ? 'current-password' : 'new-password'}
            {...(!hasAccount && { minLength: 12, maxLength: 1024, description: 'At least 12 characters' })}
          />
          {join.error !== null && <Failure error={join.error} />}
          <Button type="submit" loading={join.isPending}>
            Join
          </Button>
        </Stack>
      </form>
    </BarePage>
  );
}
