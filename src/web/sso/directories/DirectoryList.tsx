import { Anchor, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SsoConnection } from '#contract/sso/connections.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { Section } from '../../ui/page/Section.tsx';
import { directoryTexts } from '../directory-kinds.ts';
import { Outcome } from '../Outcome.tsx';
import { connectionsQuery } from '../queries.ts';
import classes from '../sso.module.css';
import { listed } from '../status-message.ts';
import { AddDirectoryButton, whatFor } from './AddDirectory.tsx';

const states = {
  ready: { tone: 'good', word: t('On') },
  failing: { tone: 'bad', word: t('Failing') },
  blocked: { tone: 'bad', word: t('Not ready') },
  off: { tone: 'open', word: t('Off') },
} as const;

/** Returns what people call a directory: the first one goes by its provider. */
export const nameOf = ({ name, provider }: Pick<SsoConnection, 'name' | 'provider'>): string =>
  name ?? directoryTexts[provider].name;

/** All directories of an organization, with their states and domains. */
export function DirectoryList({ orgId }: { readonly orgId: string }): ReactNode {
  const { data: connections = [] } = useQuery(connectionsQuery(orgId));
  return (
    <Section title={t('Directories')} description={whatFor()}>
      <div className={classes['scroll']} tabIndex={0} role="group" aria-label={t('Directories')}>
        <Table verticalSpacing="sm" miw={560}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Name')}</Table.Th>
              <Table.Th>{t('Identity provider')}</Table.Th>
              <Table.Th>{t('Domains')}</Table.Th>
              <Table.Th>{t('State')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {connections.map((connection) => (
              <Row key={connection.id} connection={connection} />
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <AddDirectoryButton orgId={orgId} />
    </Section>
  );
}

function Row({ connection }: { readonly connection: SsoConnection }): ReactNode {
  const { id: connectionId, organizationId: orgId, isFirst, provider, emailDomains, state } = connection;
  const { tone, word } = states[state];
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {isFirst ? (
          <Text size="sm" fw={500}>
            {t('{name} (the first one, below)', { name: nameOf(connection) })}
          </Text>
        ) : (
          <Anchor
            renderRoot={(props) => (
              <Link {...props} to={paths.ssoConnection} params={{ orgId, connectionId }} />
            )}
            size="sm"
            fw={500}
          >
            {nameOf(connection)}
          </Anchor>
        )}
      </Table.Td>
      <Table.Td>{directoryTexts[provider].name}</Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{listed(emailDomains) || t('None yet')}</Table.Td>
      <Table.Td>
        <Outcome tone={tone}>{word}</Outcome>
      </Table.Td>
    </Table.Tr>
  );
}
