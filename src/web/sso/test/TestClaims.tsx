import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import classes from '../sso.module.css';

/** The claims of a token. Values other than texts are shown as JSON. */
export const TestClaims = ({ claims }: { readonly claims: Readonly<Record<string, unknown>> }): ReactNode => (
  <Table>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t('Claim')}</Table.Th>
        <Table.Th>{t('Value')}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {Object.entries(claims).map(([name, value]) => (
        <Table.Tr key={name}>
          <Table.Th scope="row" className={classes['claim'] ?? ''}>
            {name}
          </Table.Th>
          <Table.Td className={classes['claim'] ?? ''}>
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
