import { Checkbox, NumberInput, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { TokenPolicy as Policy } from '#contract/credentials/tokens.ts';
import type { Organization } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { tokenPolicyQuery, tokensKey } from '../../tokens/queries.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { faultAt } from '../../ui/problems/field-faults.ts';
import { reasonAgainst } from '../../ui/text/permissions.ts';

const longest = 365;

/** Which tokens the organization permits: for all members to read, and for owners and admins to change. */
export function TokenPolicy({ organization }: { readonly organization: Organization }): ReactNode {
  return (
    <Loaded query={useQuery(tokenPolicyQuery(organization.id))} height={60}>
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
  const [personalTokens, setPersonalTokens] = useState(before.personalTokens);
  const [maxDays, setMaxDays] = useState<number | string>(before.maxDays);
  const save = useMutation({
    mutationFn: (body: Policy) =>
      call('PUT /api/organizations/{orgId}/token-policy', { params: { orgId }, body }),
    onSuccess: () => notifyDone(t('Saved which tokens are permitted.')),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries(tokenPolicyQuery(orgId)),
        client.invalidateQueries({ queryKey: tokensKey }),
      ]),
  });
  const reason = reasonAgainst('member.manage', role);
  const stops =
    (before.personalTokens && !personalTokens) || (typeof maxDays === 'number' && maxDays < before.maxDays);
  return (
    <Form
      error={save.error}
      pointers={['/maxDays']}
      action={t('Save')}
      reason={reason ?? (typeof maxDays === 'number' ? undefined : t('Enter a number of days.'))}
      isPending={save.isPending}
      onSubmit={() => typeof maxDays === 'number' && save.mutate({ personalTokens, maxDays })}
    >
      <Checkbox
        label={t('Members can use personal tokens')}
        description={t('A personal token acts as the person who created it, within their rights.')}
        checked={personalTokens}
        disabled={reason !== undefined}
        onChange={(event) => setPersonalTokens(event.currentTarget.checked)}
      />
      <NumberInput
        label={t('Longest validity in days')}
        description={t('For all tokens, 1 to {longest} days from when they are created', { longest })}
        required
        min={1}
        max={longest}
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="blur"
        w={{ base: '100%', xs: 260 }}
        value={maxDays}
        readOnly={reason !== undefined}
        onChange={setMaxDays}
        error={faultAt(save.error, '/maxDays')}
      />
      {stops && (
        <Text size="sm" role="status">
          {t(
            'This also applies to tokens that exist: those that it doesn’t permit stop working immediately.',
          )}
        </Text>
      )}
    </Form>
  );
}
