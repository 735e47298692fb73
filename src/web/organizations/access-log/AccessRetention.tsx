import { NumberInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Organization } from '#contract/organizations/organizations.ts';
import { maxAccessLogDays, minAccessLogDays } from '#shared/access-actions.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { Section } from '../../ui/page/Section.tsx';
import { Waiting } from '../../ui/page/Waiting.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { faultAt } from '../../ui/problems/field-faults.ts';
import { reasonAgainst } from '../../ui/text/permissions.ts';
import { retentionQuery } from './queries.ts';

/** How long the data-access log is kept: for admins to read, and for owners to change. */
export function AccessRetention({ organization }: { readonly organization: Organization }): ReactNode {
  const retention = useQuery(retentionQuery(organization.id));
  return (
    <Section title={t('Retention')} description={t('Older entries are deleted permanently.')}>
      {retention.error !== null && <Failure error={retention.error} retry={() => void retention.refetch()} />}
      {retention.isPending && <Waiting height={60} />}
      {retention.data !== undefined && (
        <RetentionForm organization={organization} before={retention.data.days} />
      )}
    </Section>
  );
}

function RetentionForm({
  organization: { id: orgId, role },
  before,
}: {
  readonly organization: Organization;
  readonly before: number;
}): ReactNode {
  const client = useQueryClient();
  const [days, setDays] = useState<number | string>(before);
  const save = useMutation({
    mutationFn: (body: { readonly days: number }) =>
      call('PUT /api/organizations/{orgId}/access-log/retention', { params: { orgId }, body }),
    onSuccess: () => notifyDone(t('Saved how long the data-access log is kept.')),
    onSettled: () => client.invalidateQueries(retentionQuery(orgId)),
  });
  const reason = reasonAgainst('access_log.retain', role);
  return (
    <Form
      error={save.error}
      pointers={['/days']}
      action={t('Save')}
      reason={reason ?? (typeof days === 'number' ? undefined : t('Enter a number of days.'))}
      isPending={save.isPending}
      onSubmit={() => typeof days === 'number' && save.mutate({ days })}
    >
      <NumberInput
        label={t('Delete entries after this many days')}
        description={t('{least} to {most} days', { least: minAccessLogDays, most: maxAccessLogDays })}
        required
        min={minAccessLogDays}
        max={maxAccessLogDays}
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="blur"
        w={{ base: '100%', xs: 260 }}
        value={days}
        readOnly={reason !== undefined}
        onChange={setDays}
        error={faultAt(save.error, '/days')}
      />
    </Form>
  );
}
