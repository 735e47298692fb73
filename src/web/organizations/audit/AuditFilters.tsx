import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { allMembersQuery } from '../../ui/server-data/member-list-queries.ts';
import { readAuditSearch, type AuditSearch } from './search.ts';

/** The filters of the audit log and the data-access log; each choice is in the URL. */
export function AuditFilters({
  orgId,
  search,
  actions,
  onChange,
}: {
  readonly orgId: string;
  readonly search: AuditSearch;
  /** The choices of the filter by action. */
  readonly actions: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (search: AuditSearch) => void;
}): ReactNode {
  const { data: members = [] } = useQuery(allMembersQuery(orgId));
  const change = (name: keyof AuditSearch, value: string) =>
    onChange(readAuditSearch({ ...search, [name]: value }));
  const { from = '', to = '', actorId = '', action = '' } = search;
  const people = members
    .map(({ userId, name, email }) => ({ value: userId, label: `${name} (${email})` }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
  const isKnown = actorId === '' || people.some(({ value }) => value === actorId);
  return (
    <Group component="search" align="flex-end" gap="sm">
      <TextInput
        label={t('From')}
        type="date"
        value={from}
        {...(to !== '' && { max: to })}
        onChange={(event) => change('from', event.currentTarget.value)}
      />
      <TextInput
        label={t('To')}
        type="date"
        value={to}
        {...(from !== '' && { min: from })}
        onChange={(event) => change('to', event.currentTarget.value)}
      />
      <NativeSelect
        label={t('Who')}
        value={actorId}
        onChange={(event) => change('actorId', event.currentTarget.value)}
        data={[
          { value: '', label: t('Anyone') },
          ...(isKnown ? [] : [{ value: actorId, label: t('A former member') }]),
          ...people,
        ]}
      />
      <NativeSelect
        label={t('What')}
        value={action}
        onChange={(event) => change('action', event.currentTarget.value)}
        data={[{ value: '', label: t('Any action') }, ...actions]}
      />
      {Object.keys(search).length > 0 && (
        <Button variant="subtle" onClick={() => onChange({})}>
          {t('Clear')}
        </Button>
      )}
    </Group>
  );
}
