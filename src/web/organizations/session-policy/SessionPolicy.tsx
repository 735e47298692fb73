import { NumberInput, SimpleGrid, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Organization } from '#contract/organizations/organizations.ts';
import type { SessionPolicy as Policy } from '#contract/organizations/session-policy.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { faultAt } from '../../ui/problems/field-faults.ts';
import { reasonAgainst } from '../../ui/text/permissions.ts';
import { sessionPolicyQuery } from './queries.ts';

/** Where the server reports faults of addresses, of which there are up to 100. */
const addressPointers = ['/addresses', ...Array.from({ length: 100 }, (_, index) => `/addresses/${index}`)];

/** The session limits: for all members to read, and for owners and admins to change; the addresses only for owners. */
export function SessionPolicy({ organization }: { readonly organization: Organization }): ReactNode {
  return (
    <Loaded query={useQuery(sessionPolicyQuery(organization.id))} height={180}>
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
  const [idleMinutes, setIdleMinutes] = useState<number | string>(before.idleMinutes ?? '');
  const [absoluteHours, setAbsoluteHours] = useState<number | string>(before.absoluteHours ?? '');
  const [maxSessions, setMaxSessions] = useState<number | string>(before.maxSessions ?? '');
  const [addresses, setAddresses] = useState((before.addresses ?? []).join('\n'));
  const save = useMutation({
    mutationFn: (body: Policy) =>
      call('PUT /api/organizations/{orgId}/session-policy', { params: { orgId }, body }),
    onSuccess: () => notifyDone(t('Session limits saved.')),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries(sessionPolicyQuery(orgId)),
        client.invalidateQueries({ queryKey: ['sessions'] }),
      ]),
  });
  const reason = reasonAgainst('member.manage', role);
  const reasonOfAddresses = reasonAgainst('authentication.require', role);
  const number = {
    allowDecimal: false,
    allowNegative: false,
    clampBehavior: 'blur',
    readOnly: reason !== undefined,
  } as const;
  const addressFaults = addressPointers.flatMap((pointer) => faultAt(save.error, pointer) ?? []);
  const lines = addresses.split(/[\s,]+/).filter((line) => line !== '');
  return (
    <Form
      error={save.error}
      pointers={['/idleMinutes', '/absoluteHours', '/maxSessions', ...addressPointers]}
      action={t('Save')}
      reason={reason}
      isPending={save.isPending}
      onSubmit={() =>
        save.mutate({
          ...(typeof idleMinutes === 'number' && { idleMinutes }),
          ...(typeof absoluteHours === 'number' && { absoluteHours }),
          ...(typeof maxSessions === 'number' && { maxSessions }),
          addresses: lines,
        })
      }
    >
      <Text size="sm" c="dimmed">
        {t(
          'They limit the use of this organization only. Members whose session is beyond them sign in again to open it.',
        )}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <NumberInput
          {...number}
          label={t('Minutes without use')}
          description={t('15 to 720; 720 if empty')}
          min={15}
          max={720}
          value={idleMinutes}
          onChange={setIdleMinutes}
          error={faultAt(save.error, '/idleMinutes')}
        />
        <NumberInput
          {...number}
          label={t('Hours since signing in')}
          description={t('1 to 168; 168 if empty')}
          min={1}
          max={168}
          value={absoluteHours}
          onChange={setAbsoluteHours}
          error={faultAt(save.error, '/absoluteHours')}
        />
        <NumberInput
          {...number}
          label={t('Sessions for each person')}
          description={t('1 to 100; no limit if empty')}
          min={1}
          max={100}
          value={maxSessions}
          onChange={setMaxSessions}
          error={faultAt(save.error, '/maxSessions')}
        />
      </SimpleGrid>
      <Textarea
        label={t('Allowed addresses')}
        description={[
          t(
            'IP addresses or ranges such as 203.0.113.0/24, one on each line. The organization can’t be used from any other address, not even with tokens. Any address is allowed if this is empty.',
          ),
          // People who can't change anything read why at the button.
          ...(reason === undefined && reasonOfAddresses !== undefined ? [reasonOfAddresses] : []),
        ].join(' ')}
        autosize
        minRows={2}
        maxRows={8}
        value={addresses}
        readOnly={reasonOfAddresses !== undefined}
        onChange={(event) => setAddresses(event.currentTarget.value)}
        error={addressFaults.length > 0 && addressFaults.join('. ')}
      />
    </Form>
  );
}
