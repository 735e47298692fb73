import { Button, Paper, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Member } from '#contract/organizations/members.ts';
import type { Role } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { allMembersQuery } from '../../ui/server-data/member-list-queries.ts';
import { MemberRow } from './MemberRow.tsx';
import { RemoveMember } from './RemoveMember.tsx';
import { SearchField } from '../../ui/forms/SearchField.tsx';
import { Waiting } from '../../ui/page/Waiting.tsx';

const shownAtFirst = 100;

/** The members, sorted by name, with a search field. */
export function MemberList({
  orgId,
  myRole,
}: {
  readonly orgId: string;
  readonly myRole: Role | undefined;
}): ReactNode {
  const members = useQuery(allMembersQuery(orgId));
  const [search, setSearch] = useState('');
  const [shown, setShown] = useState(shownAtFirst);
  const [removed, setRemoved] = useState<Member>();
  if (members.error !== null) return <Failure error={members.error} retry={() => void members.refetch()} />;
  if (members.data === undefined) return <Waiting height={240} />;
  const found = members.data
    .filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(search.trim().toLowerCase()))
    .toSorted((one, other) => one.name.localeCompare(other.name) || one.email.localeCompare(other.email));
  // The server lists the methods only for owners and admins.
  const showsSignIn = members.data.some(({ signInMethods }) => signInMethods !== undefined);
  return (
    <Stack gap="sm">
      {members.data.length > 5 && (
        <SearchField label={t('Search members by name or email')} value={search} onChange={setSearch} />
      )}
      <Text size="sm" c="dimmed" role="status">
        {search === ''
          ? t('{count, plural, one {# member} other {# members}}', { count: members.data.length })
          : t('{count} found', { count: found.length })}
      </Text>
      <Paper withBorder>
        <Table verticalSpacing="sm" horizontalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Person')}</Table.Th>
              <Table.Th>{t('Role')}</Table.Th>
              {showsSignIn && <Table.Th visibleFrom="md">{t('Signs in with')}</Table.Th>}
              <Table.Th visibleFrom="sm">{t('Member since')}</Table.Th>
              <Table.Th>
                <VisuallyHidden>{t('Actions')}</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {found.slice(0, shown).map((member) => (
              <MemberRow
                key={member.userId}
                orgId={orgId}
                myRole={myRole}
                member={member}
                members={members.data}
                showsSignIn={showsSignIn}
                onRemove={() => setRemoved(member)}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      {found.length > shown && (
        <Button variant="default" onClick={() => setShown(shown + shownAtFirst)}>
          {t('Show {count} more', { count: Math.min(shownAtFirst, found.length - shown) })}
        </Button>
      )}
      {removed !== undefined && (
        <RemoveMember
          orgId={orgId}
          member={removed}
          members={members.data}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Stack>
  );
}
