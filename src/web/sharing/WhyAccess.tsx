import { List, Select, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Member } from '#contract/organizations/members.ts';
import type { AccessExplanation } from '#contract/sharing.ts';
import { Failure } from '../ui/problems/Failure.tsx';
import { explanationQuery } from './queries.ts';
import { wordsOf, type SharedRecord } from './shared-records.ts';

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
        Why does somebody have access?
      </Title>
      <Select
        label="Member"
        placeholder="Name or email"
        searchable
        clearable
        limit={100}
        nothingFoundMessage="No matching members"
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
  const { name } = wordsOf[record.kind];
  if (data.access === undefined) {
    return (
      <Text size="sm" role="status">
        {`${member.name} has no access: the ${name} is restricted, and isn’t shared with them or their groups.`}
      </Text>
    );
  }
  return (
    <div role="status">
      <Text size="sm">{`${member.name} can ${verbs[data.access]} this ${name}:`}</Text>
      <List size="sm" withPadding>
        {data.reasons.map((one) => (
          <List.Item key={`${one.by} ${one.groupId ?? ''}`}>
            {`${sourceOf(one, data.role)}: can ${verbs[one.access]}`}
          </List.Item>
        ))}
      </List>
    </div>
  );
}

const verbs = { view: 'see', use: 'query', edit: 'edit', manage: 'edit and share' } as const;

function sourceOf(
  { by, groupId }: AccessExplanation['reasons'][number],
  role: AccessExplanation['role'],
): string {
  switch (by) {
    case 'role':
      return `The role ${role}`;
    case 'owner':
      return 'Owner';
    case 'share':
      return 'Shared with them';
    case 'group':
      return `Directory group ${groupId ?? ''}`;
  }
}
