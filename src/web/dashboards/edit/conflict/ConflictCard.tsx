import { Group, Paper, Radio, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ConflictItem, Side } from './choices.ts';
import { differencesOf } from './parts.ts';

/** One thing that two have changed: how it was, how each has it, and the choice. */
export function ConflictCard({
  item,
  title,
  others,
  nameOfReport,
  choice,
  onChoose,
}: {
  readonly item: ConflictItem;
  readonly title: string;
  readonly others: string;
  readonly nameOfReport: (reportId: string) => string;
  readonly choice: Side | undefined;
  readonly onChoose: (side: Side) => void;
}): ReactNode {
  const differences = item.conflicts.flatMap((conflict) => differencesOf(conflict, nameOfReport));
  const isText = item.key === 'description';
  const words: Readonly<Record<Side, string>> = {
    mine: 'Mine',
    theirs: `Theirs (${others})`,
    both: isText ? 'Both, one after the other' : 'Both, as two widgets',
  };
  return (
    <Paper withBorder p="md" role="group" aria-label={title}>
      <Title order={2} fz="md" mb="xs" style={{ overflowWrap: 'anywhere' }}>
        {title}
      </Title>
      <Table.ScrollContainer minWidth={480}>
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>What</Table.Th>
              <Table.Th>Before</Table.Th>
              <Table.Th>Mine</Table.Th>
              <Table.Th>{`Theirs (${others})`}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {differences.map(({ label, base, mine, theirs }) => (
              <Table.Tr key={label}>
                <Table.Th scope="row">{label}</Table.Th>
                <ValueCell>{base}</ValueCell>
                <ValueCell>{mine}</ValueCell>
                <ValueCell>{theirs}</ValueCell>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Radio.Group mt="sm" label="Keep" value={choice ?? null} onChange={(value) => onChoose(value)}>
        <Group mt={6}>
          {item.sides.map((side) => (
            <Radio key={side} value={side} label={words[side]} />
          ))}
        </Group>
      </Radio.Group>
    </Paper>
  );
}

const ValueCell = ({ children }: { readonly children: string }): ReactNode => (
  <Table.Td>
    <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      {children}
    </Text>
  </Table.Td>
);
