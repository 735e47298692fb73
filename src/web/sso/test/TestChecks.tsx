import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SsoCheck } from '#contract/sso/sign-in.ts';
import { t } from '#shared/language/messages.ts';
import { Outcome } from '../Outcome.tsx';

const names: Readonly<Record<string, string>> = {
  discovery: t('Discovery document'),
  token: t('ID token'),
  tenant: t('Tenant'),
  tenant_required: t('Tenant'),
  identity: t('Identity'),
  email: t('Email address'),
  domain: t('Domain'),
  hosted_domain: t('Google Workspace'),
  groups: t('Groups'),
  link: t('Existing account'),
};

/** Each check. Any other reason for a refusal is listed under its own code. */
export const TestChecks = ({ checks }: { readonly checks: readonly SsoCheck[] }): ReactNode => (
  <Table verticalSpacing="sm" layout="fixed">
    <Table.Thead>
      <Table.Tr>
        <Table.Th w={{ base: '45%', sm: 220 }}>{t('Check')}</Table.Th>
        <Table.Th>{t('What was found')}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {checks.map(({ code, passed, message, remedy }) => (
        <Table.Tr key={code}>
          <Table.Th scope="row" style={{ overflowWrap: 'anywhere' }}>
            <Text size="sm" fw={600}>
              {names[code] ?? code}
            </Text>{' '}
            <Outcome tone={passed ? 'good' : 'bad'}>{passed ? t('Passed') : t('Failed')}</Outcome>
          </Table.Th>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>
            <Text size="sm">{message}</Text>
            {remedy !== undefined && <Text size="sm">{remedy}</Text>}
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
