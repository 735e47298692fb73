import { Group, Paper, Radio, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { ConflictItem, Side } from './conflict.ts';

/** Conflicts that are resolved with one choice: the previous value, each side's value, and the choice. */
export function ConflictCard({
  item: { title, differences, both },
  others,
  choice,
  onChoose,
}: {
  readonly item: ConflictItem;
  readonly others: string;
  readonly choice: Side | undefined;
  readonly onChoose: (side: Side) => void;
}): ReactNode {
  const theirs = t('Theirs ({others})', { others });
  return (
    <Paper withBorder p="md" role="group" aria-label={title}>
      <Title order={2} fz="md" mb="xs" style={{ overflowWrap: 'anywhere' }}>
        {title}
      </Title>
      <Table.ScrollContainer minWidth={480} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Part')}</Table.Th>
              <Table.Th>{t('Before')}</Table.Th>
              <Table.Th>{t('Mine')}</Table.Th>
              <Table.Th>{theirs}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {differences.map((difference) => (
              <Table.Tr key={difference.label}>
                <Table.Th scope="row">{difference.label}</Table.Th>
                <ValueCell>{difference.base}</ValueCell>
                <ValueCell>{difference.mine}</ValueCell>
                <ValueCell>{difference.theirs}</ValueCell>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Radio.Group mt="sm" label={t('Use')} value={choice ?? null} onChange={(side) => onChoose(side)}>
        <Group mt={6}>
          <Radio value="mine" label={t('Mine')} />
          <Radio value="theirs" label={theirs} />
          {both !== undefined && <Radio value="both" label={both} />}
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
