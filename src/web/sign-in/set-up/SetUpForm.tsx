import { Checkbox, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { notifyError } from '../../ui/notifications/notify.ts';
import { NewPasswordField } from '../NewPasswordField.tsx';

/** Creates the owner, the organization and optionally the sample, then opens the sample or the list of dashboards. */
export function SetUpForm({
  token,
  onRefused,
}: {
  readonly token: string;
  readonly onRefused: (error: Error) => void;
}): ReactNode {
  const navigate = useNavigate();
  const client = useQueryClient();
  const setUp = useMutation({
    mutationFn: async ({ wantsSample, ...fields }: SetUpFields) => {
      await call('POST /api/set-up', { body: { token, ...fields } });
      return wantsSample ? addSample() : undefined;
    },
    onSuccess: (dashboardId) => {
      client.clear();
      // Replaced, so that the token isn't in the history.
      if (dashboardId === undefined) void navigate({ to: paths.home, replace: true });
      else void navigate({ to: paths.dashboard, params: { dashboardId }, replace: true });
    },
    onError: onRefused,
  });
  return (
    <Form
      error={setUp.error}
      pointers={['/password']}
      action={t('Create')}
      isPending={setUp.isPending || setUp.isSuccess}
      isFullWidth
      onSubmit={(field) =>
        setUp.mutate({
          name: field('name'),
          email: field('email'),
          password: field('password'),
          organization: field('organization'),
          wantsSample: field('sample') !== '',
        })
      }
    >
      <Text c="dimmed">{t('Create the first owner and the first organization of this server.')}</Text>
      <TextInput label={t('Your name')} name="name" autoComplete="name" required autoFocus maxLength={200} />
      <TextInput label={t('Email')} name="email" type="email" autoComplete="username" required />
      <NewPasswordField label={t('Password')} name="password" pointer="/password" error={setUp.error} />
      <TextInput
        label={t('Organization')}
        name="organization"
        autoComplete="organization"
        required
        maxLength={200}
      />
      <Checkbox
        name="sample"
        value="yes"
        defaultChecked
        label={t('Add sample data')}
        description={t(
          'Public data with nine reports and a dashboard to explore. You can delete it at any time.',
        )}
      />
    </Form>
  );
}

interface SetUpFields {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly organization: string;
  readonly wantsSample: boolean;
}

/** Doesn't throw: the owner is already signed in and can add the sample later. */
async function addSample(): Promise<string | undefined> {
  try {
    const { items } = await call('GET /api/organizations');
    const orgId = items[0]?.id;
    if (orgId === undefined) return undefined;
    return (await call('POST /api/organizations/{orgId}/sample', { params: { orgId } })).dashboardId;
  } catch (error) {
    notifyError(error);
    return undefined;
  }
}
