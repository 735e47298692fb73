import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { SubmitEvent, ReactNode } from 'react';
import { call } from '../api.ts';
import { paths } from '../paths.ts';
import { Failure } from '../ui/Failure.tsx';
import { fieldOf } from '../ui/form-fields.ts';
import { BarePage } from './BarePage.tsx';

/** The first owner and organization, by the one-time link whose token is behind `#`, where no log has it. */
export function SetUpPage(): ReactNode {
  const navigate = useNavigate();
  const client = useQueryClient();
  const setUp = useMutation({
    mutationFn: (fields: { name: string; email: string; password: string; organization: string }) =>
      call('POST /api/set-up', { body: { token: location.hash.slice(1), ...fields } }),
    onSuccess: () => {
      client.clear();
      void navigate({ to: paths.home });
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setUp.mutate({
      name: fieldOf(form, 'name'),
      email: fieldOf(form, 'email'),
      password: fieldOf(form, 'password'),
      organization: fieldOf(form, 'organization'),
    });
  };
  return (
    <BarePage title="Set up Atrium">
      <Text c="dimmed">Create the first owner and the first organization of this server.</Text>
      <form onSubmit={submit}>
        <Stack>
          <TextInput label="Your name" name="name" autoComplete="name" required autoFocus maxLength={200} />
          <TextInput label="E-mail" name="email" type="email" autoComplete="username" required />
          <PasswordInput
            label="Password"
            description="At least 12 characters"
            name="password"
            autoComplete="new-password"
            required
            minLength={12}
            maxLength={1024}
          />
          <TextInput
            label="Organization"
            name="organization"
            autoComplete="organization"
            required
            maxLength={200}
          />
          {setUp.error !== null && <Failure error={setUp.error} />}
          <Button type="submit" loading={setUp.isPending}>
            Create
          </Button>
        </Stack>
      </form>
    </BarePage>
  );
}
