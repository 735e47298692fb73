import { Code, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ServerState } from '#contract/operation.ts';
import { t } from '#shared/language/messages.ts';
import { Section } from '../ui/page/Section.tsx';

/** The settings in effect. For secrets, shows only whether they are set. */
export const ServerSettings = ({ settings }: { readonly settings: ServerState['settings'] }): ReactNode => (
  <Section
    title={t('Settings')}
    description={t(
      'The values in effect, including defaults. They are read from the environment at startup.',
    )}
  >
    <Table verticalSpacing={6} horizontalSpacing={0}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Variable')}</Table.Th>
          <Table.Th>{t('Value')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {settings.map(({ name, value, isSecret, isSet }) => (
          <Table.Tr key={name}>
            <Table.Td pr="md" style={{ overflowWrap: 'anywhere' }}>
              <Code>{name}</Code>
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              {value ?? (
                <Text span size="sm" c="dimmed">
                  {isSecret && isSet ? t('set, not shown') : t('none')}
                </Text>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Section>
);
