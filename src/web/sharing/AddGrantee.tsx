import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Member } from '#contract/organizations/members.ts';
import { t } from '#shared/language/messages.ts';
import { Failure } from '../ui/problems/Failure.tsx';
import { groupsQuery } from '../ui/server-data/group-queries.ts';
import { GroupId } from '../ui/text/GroupId.tsx';
import type { Grantee } from './grantees.ts';

/** Longer texts can't name a group. */
const maxGroupLength = 256;

/**
 * Searches the members and the directory groups of an organization. A group that no member has yet can be entered as the
 * directory sends it.
 */
export function AddGrantee({
  organizationId,
  members,
  granted,
  isDisabled,
  onChoose,
}: {
  readonly organizationId: string;
  /** The members who can be added. */
  readonly members: readonly Member[];
  /** The groups that already have access. */
  readonly granted: ReadonlySet<string>;
  readonly isDisabled: boolean;
  readonly onChoose: (grantee: Grantee) => void;
}): ReactNode {
  const [text, setText] = useState('');
  const typed = text.trim();
  const [search] = useDebouncedValue(typed.slice(0, maxGroupLength), 200);
  const groups = useQuery({ ...groupsQuery(organizationId, search), enabled: !isDisabled });
  const known = groups.data?.items ?? [];
  const groupOf = new Map(known.map((group) => [`group ${group.groupId}`, group]));
  const canAddTyped =
    typed !== '' &&
    typed.length <= maxGroupLength &&
    !granted.has(typed) &&
    !known.some(({ groupId }) => groupId === typed);
  return (
    <>
      <Select
        label={t('Add a member or group')}
        description={t(
          'Groups have the name that your directory provisions, otherwise the value that it sends: an object ID from Entra ID, a name from AD FS.',
        )}
        placeholder={t('Name, email or group')}
        searchable
        nothingFoundMessage={t('No matching members or groups')}
        searchValue={text}
        onSearchChange={setText}
        limit={100}
        renderOption={({ option: { value, label } }) => (
          <div>
            {label}
            <GroupId id={groupOf.get(value)?.groupId} name={groupOf.get(value)?.name} />
          </div>
        )}
        data={[
          {
            group: t('Members'),
            items: members.map(({ userId, name, email }) => ({
              value: `user ${userId}`,
              label: `${name} (${email})`,
            })),
          },
          {
            group: t('Directory groups'),
            items: [
              ...known
                .filter(({ groupId }) => !granted.has(groupId))
                .map(({ groupId, name, memberCount }) => ({
                  value: `group ${groupId}`,
                  label: t('{name} ({memberCount, plural, one {# member} other {# members}})', {
                    name,
                    memberCount,
                  }),
                })),
              ...(canAddTyped ? [{ value: `group ${typed}`, label: t('Group “{typed}”', { typed }) }] : []),
            ],
          },
        ]}
        value={null}
        disabled={isDisabled}
        onChange={(value) => {
          if (value === null) return;
          setText('');
          const [kind, id] = [value.slice(0, value.indexOf(' ')), value.slice(value.indexOf(' ') + 1)];
          onChoose({ kind: kind === 'group' ? 'group' : 'user', id });
        }}
      />
      {groups.error !== null && <Failure error={groups.error} retry={() => void groups.refetch()} />}
    </>
  );
}
