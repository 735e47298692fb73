import { List, Select, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Member } from '#contract/organizations/members.ts';
import type { AccessExplanation } from '#contract/records/sharing.ts';
import { t } from '#shared/language/messages.ts';
import { Failure } from '../ui/problems/Failure.tsx';
import { explanationQuery } from './queries.ts';
import { wordsOf, type SharedRecord } from './shared-records.ts';
import { GroupId } from '../ui/text/GroupId.tsx';
import { roleNames } from '../ui/text/roles.ts';

/** Shows what a member may do with a record, and why. */
export function WhyAccess({
  record,
  members,
  reason,
}: {
  readonly record: SharedRecord;
  readonly members: readonly Member[];
  readonly reason: string | undefined;
}): ReactNode {
  const [chosen, setChosen] = useState<string | null>(null);
  const member = members.find(({ userId }) => userId === chosen);
  return (
    <Stack gap="xs" component="section">
      <Title order={3} fz="md">
        {t('Why does somebody have access?')}
      </Title>
      <Select
        label={t('Member')}
        placeholder={t('Name or email')}
        searchable
        clearable
        limit={100}
        nothingFoundMessage={t('No matching members')}
        data={members.map(({ userId, name, email }) => ({ value: userId, label: `${name} (${email})` }))}
        value={chosen}
        disabled={reason !== undefined}
        onChange={setChosen}
      />
      {member !== undefined && <Explanation record={record} member={member} />}
    </Stack>
  );
}

function Explanation({
  record,
  member,
}: {
  readonly record: SharedRecord;
  readonly member: Member;
}): ReactNode {
  const { data, error, refetch } = useQuery(explanationQuery(record, member.userId));
  if (error !== null) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return null;
  const { noAccess, can } = wordsOf[record.kind];
  if (data.access === undefined) {
    return (
      <Text size="sm" role="status">
        {noAccess(member.name)}
      </Text>
    );
  }
  return (
    <div role="status">
      <Text size="sm">{can[data.access](member.name)}</Text>
      <List size="sm" withPadding>
        {data.reasons.map((one) => (
          <List.Item key={`${one.by} ${one.groupId ?? ''} ${one.folder?.id ?? ''}`}>
            {levels[one.access](withFolder(one, sourceOf(one, data.role)))}
            <GroupId id={one.groupId} name={one.groupName} />
          </List.Item>
        ))}
      </List>
    </div>
  );
}

const levels = {
  view: (source: string) => t('{source}: can see', { source }),
  use: (source: string) => t('{source}: can query', { source }),
  edit: (source: string) => t('{source}: can edit', { source }),
  manage: (source: string) => t('{source}: can edit and share', { source }),
} as const;

/** Returns a source with the folder that passes it on, if one does; people may not see all folders. */
function withFolder({ folder }: AccessExplanation['reasons'][number], source: string): string {
  if (folder === undefined) return source;
  return folder.name === undefined
    ? t('{source}, through a folder that you can’t see', { source })
    : t('{source}, through the folder “{name}”', { source, name: folder.name });
}

function sourceOf(
  { by, groupName = '' }: AccessExplanation['reasons'][number],
  role: AccessExplanation['role'],
): string {
  switch (by) {
    case 'role':
      return t('The role {role}', { role: roleNames[role] });
    case 'owner':
      return t('Owner');
    case 'share':
      return t('Shared with them');
    case 'group':
      return t('Directory group {groupName}', { groupName });
  }
}
