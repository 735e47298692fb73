import { ScrollArea, Table, Text, VisuallyHidden } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { FormerPerson } from '#contract/sso/migration.ts';
import type { Role } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { ConfirmDialog } from '../../ui/actions/ConfirmDialog.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { reasonAgainst } from '../../ui/text/permissions.ts';
import { TimeAgo } from '../../ui/text/TimeAgo.tsx';
import { outcomeText } from './list.ts';
import { useMigrationUndo } from './queries.ts';

/** More rows would make the page slow. */
const maxRows = 500;

/** The people of former providers, those who get new accounts first, and a way to undo for those who have moved. */
export function PeopleTable({
  orgId,
  role,
  people,
}: {
  readonly orgId: string;
  readonly role: Role;
  readonly people: readonly FormerPerson[];
}): ReactNode {
  const [undone, setUndone] = useState<FormerPerson>();
  const undo = useMigrationUndo(orgId);
  const close = () => {
    setUndone(undefined);
    undo.reset();
  };
  const order = ['unmatched', 'matched', 'moved'];
  const sorted = people.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
  return (
    <>
      <ScrollArea.Autosize
        mah={420}
        viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': t('People') }}
      >
        <Table stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Person')}</Table.Th>
              <Table.Th>{t('At the first sign-in')}</Table.Th>
              <Table.Th>
                <VisuallyHidden>{t('Actions')}</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sorted.slice(0, maxRows).map((person) => (
              <Table.Tr key={person.userId}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {person.name !== person.email && <Text size="sm">{person.name}</Text>}
                  <Text size="sm" c="dimmed">
                    {person.email}
                  </Text>
                </Table.Td>
                <Table.Td>
                  {outcomeText(person)}
                  {person.movedAt !== undefined && (
                    <>
                      {' '}
                      <TimeAgo at={person.movedAt} />
                    </>
                  )}
                </Table.Td>
                <Table.Td ta="end">
                  {person.movedAt !== undefined && (
                    <ActionButton
                      size="compact-sm"
                      variant="default"
                      aria-label={t('Undo for {email}', { email: person.email })}
                      reason={reasonAgainst('sso.migrate', role)}
                      onClick={() => setUndone(person)}
                    >
                      {t('Undo…')}
                    </ActionButton>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      {sorted.length > maxRows && (
        <Text size="sm">
          {t('And {count} more. The API lists all of them.', { count: sorted.length - maxRows })}
        </Text>
      )}
      <ConfirmDialog
        title={t('Undo the change for {email}?', { email: undone?.email ?? '' })}
        sentences={[
          t(
            'The person who signed in to this account is signed out, and gets a new account at the next sign-in.',
          ),
          t('What was done with the account stays with it.'),
        ]}
        action={t('Undo')}
        opened={undone !== undefined}
        onClose={close}
        onConfirm={() => {
          if (undone === undefined) return;
          undo.mutate(undone.userId, {
            onSuccess() {
              close();
              notifyDone(t('Undone. The person gets a new account at the next sign-in.'));
            },
          });
        }}
        isPending={undo.isPending}
        error={undo.error}
      />
    </>
  );
}
