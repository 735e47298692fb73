import { Checkbox, Radio, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { AuthenticationPolicy as Policy } from '#contract/organizations/authentication-policy.ts';
import type { Organization } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { reasonAgainst } from '../../ui/text/permissions.ts';
import { authenticationPolicyQuery } from './queries.ts';

const choices = [
  { value: 'off', label: t('Nobody') },
  { value: 'owners', label: t('Owners') },
  { value: 'everyone', label: t('Everyone') },
] as const;

/** What the organization requires of sign-ins: for all members to read, and for owners to change. */
export function AuthenticationPolicy({ organization }: { readonly organization: Organization }): ReactNode {
  return (
    <Loaded query={useQuery(authenticationPolicyQuery(organization.id))} height={140}>
      {(before) => <PolicyForm organization={organization} before={before} />}
    </Loaded>
  );
}

function PolicyForm({
  organization: { id: orgId, role },
  before,
}: {
  readonly organization: Organization;
  readonly before: Policy;
}): ReactNode {
  const client = useQueryClient();
  const [secondFactor, setSecondFactor] = useState(before.secondFactor);
  const [confirmSsoChanges, setConfirmSsoChanges] = useState(before.confirmSsoChanges);
  const save = useMutation({
    mutationFn: (body: Policy) =>
      call('PUT /api/organizations/{orgId}/authentication-policy', { params: { orgId }, body }),
    onSuccess: () => notifyDone(t('Saved the sign-in requirements.')),
    onSettled: () => client.invalidateQueries(authenticationPolicyQuery(orgId)),
  });
  const reason = reasonAgainst('authentication.require', role);
  return (
    <Form
      error={save.error}
      action={t('Save')}
      reason={reason}
      isPending={save.isPending}
      onSubmit={() => save.mutate({ secondFactor, confirmSsoChanges })}
    >
      <Radio.Group
        label={t('Who needs a second factor to use this organization?')}
        value={secondFactor}
        onChange={setSecondFactor}
      >
        <Stack gap="xs" mt="xs">
          {choices.map(({ value, label }) => (
            <Radio key={value} value={value} label={label} disabled={reason !== undefined} />
          ))}
        </Stack>
      </Radio.Group>
      {secondFactor !== 'off' && secondFactor !== before.secondFactor && (
        <Text size="sm" role="status">
          {t(
            'People without a second factor can’t use the organization from their next request on, not even with tokens, until they set one up in their account.',
          )}
        </Text>
      )}
      <Checkbox
        label={t('Confirm identity before changes of single sign-on')}
        description={t(
          'Owners and admins then enter their password, use their passkey or sign in through the directory again, at most every ten minutes. The same applies before they make somebody an admin. Tokens can do neither. With Entra ID, add the optional claim auth_time to the ID token: without it, a sign-in there doesn’t prove that the person entered anything.',
        )}
        checked={confirmSsoChanges}
        disabled={reason !== undefined}
        onChange={(event) => setConfirmSsoChanges(event.currentTarget.checked)}
      />
    </Form>
  );
}
