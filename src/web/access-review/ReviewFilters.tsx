import { Button, Group, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { allMembersQuery } from '../ui/server-data/member-list-queries.ts';
import { objectKinds, readReviewSearch, type ReviewSearch } from './search.ts';
import { kindNames } from './texts.ts';

/** The filters of a review by person and by object; each choice is in the URL. */
export function ReviewFilters({
  orgId,
  search,
  onChange,
}: {
  readonly orgId: string;
  readonly search: ReviewSearch;
  readonly onChange: (search: ReviewSearch) => void;
}): ReactNode {
  const { data: members = [] } = useQuery(allMembersQuery(orgId));
  const { userId = '', objectKind = '', objectId } = search;
  const people = members
    .map(({ userId: value, name, email, isServiceAccount }) => ({
      value,
      label: isServiceAccount === true ? t('{name} (service account)', { name }) : `${name} (${email})`,
    }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
  const isKnown = userId === '' || people.some(({ value }) => value === userId);
  return (
    <Group component="search" align="flex-end" gap="sm">
      <NativeSelect
        label={t('Who')}
        value={userId}
        onChange={(event) => onChange(readReviewSearch({ ...search, userId: event.currentTarget.value }))}
        data={[
          { value: '', label: t('Anyone') },
          ...(isKnown ? [] : [{ value: userId, label: t('A former member') }]),
          ...people,
        ]}
      />
      <NativeSelect
        label={t('What')}
        value={objectKind}
        // Another kind has no object that was chosen before.
        onChange={(event) => onChange(readReviewSearch({ userId, objectKind: event.currentTarget.value }))}
        data={[
          { value: '', label: t('Everything') },
          ...objectKinds.map((value) => ({ value, label: kindNames[value] })),
        ]}
      />
      {(userId !== '' || objectKind !== '' || objectId !== undefined) && (
        <Button variant="subtle" onClick={() => onChange({})}>
          {t('Clear')}
        </Button>
      )}
    </Group>
  );
}
