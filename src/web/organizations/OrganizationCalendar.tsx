import { NativeSelect, Select } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Organization, OrganizationChange } from '#contract/organizations/organizations.ts';
import { timeZones } from '#shared/dates/time-zones.ts';
import { weekStarts, type WeekStart } from '#shared/query-builder/structure.ts';
import { call } from '../app/api.ts';
import { Form } from '../ui/forms/Form.tsx';
import { notifyDone } from '../ui/notifications/notify.ts';
import { reasonAgainst } from '../ui/text/permissions.ts';

const weekStartNames: Readonly<Record<WeekStart, string>> = {
  monday: 'Monday',
  sunday: 'Sunday',
  saturday: 'Saturday',
};

/** Sets the time zone in which days begin, and the first day of a week. */
export function OrganizationCalendar({ organization }: { readonly organization: Organization }): ReactNode {
  const { id: orgId, role } = organization;
  const [timeZone, setTimeZone] = useState(organization.timeZone);
  const [weekStart, setWeekStart] = useState(organization.weekStart);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (body: OrganizationChange) =>
      call('PATCH /api/organizations/{orgId}', { params: { orgId }, body }),
    onSuccess: () => {
      notifyDone('Time zone and week start saved.');
      return client.invalidateQueries({ queryKey: ['organizations'] });
    },
  });
  const reason = reasonAgainst('organization.change', role);
  const isLocked = reason !== undefined;
  const zones = timeZones();
  return (
    <Form
      error={change.error}
      action="Save dates"
      reason={reason}
      isPending={change.isPending}
      onSubmit={() => change.mutate({ timeZone, weekStart })}
    >
      <Select
        label="Time zone"
        description="Sets when “today” and “this month” begin and end in dashboard filters and in the query builder."
        searchable
        allowDeselect={false}
        readOnly={isLocked}
        data={zones.includes(timeZone) ? zones : [timeZone, ...zones]}
        value={timeZone}
        onChange={(chosen) => setTimeZone(chosen ?? timeZone)}
      />
      <NativeSelect
        label="Weeks start on"
        disabled={isLocked}
        data={weekStarts.map((value) => ({ value, label: weekStartNames[value] }))}
        value={weekStart}
        onChange={(event) => setWeekStart(event.currentTarget.value as WeekStart)}
      />
    </Form>
  );
}
