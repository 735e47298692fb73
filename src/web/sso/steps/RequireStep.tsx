import { Group, List, Stack, Table, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconCircleDashed } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { may } from '#shared/permissions.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import classes from '../sso.module.css';
import type { Sso } from '../sso-queries.ts';
import { useDoer } from '../use-doer.ts';
import { usePolicySaving } from '../connection/use-saving.ts';
import { waysIn } from '../ways-in.ts';

const forOwners = 'This is for the owners of the organization.';

/** Shuts passwords out, once there is a way in for the day on which the directory fails; and lets them in again. */
export function RequireStep({ sso }: { readonly sso: Sso }): ReactNode {
  const { orgId, role, status, policy } = sso;
  const { cameThroughDirectory } = useDoer(orgId);
  const [isAsked, setAsked] = useState(false);
  const saving = usePolicySaving(orgId);
  const mayRequire = may(role, 'sso.require');
  const needs = [
    { isMet: status.state === 'ready', words: 'Turn single sign-on on, and see that it works.' },
    {
      isMet: status.recoveryCodesLeft > 0,
      words: 'Make recovery codes: they are the way in when the directory fails.',
    },
    {
      isMet: cameThroughDirectory,
      words: 'Sign in through the directory yourself, so that you know that it lets you in.',
    },
  ];
  const unmet = needs.find(({ isMet }) => !isMet);
  const require = !policy.requireSso;
  const save = () =>
    saving.mutate(
      { ...policy, requireSso: require },
      {
        onSuccess() {
          setAsked(false);
          notifyDone(require ? 'Single sign-on is required.' : 'Passwords are let in again.');
        },
      },
    );
  return (
    <Stack>
      <Text size="sm">
        Members then come in through the directory alone: their passwords open this organization no longer.
      </Text>
      {require && (
        <List listStyleType="none" spacing="xs" size="sm" aria-label="What has to be there first">
          {needs.map(({ isMet, words }) => (
            <List.Item
              key={words}
              icon={
                <ThemeIcon
                  variant="light"
                  size={22}
                  radius="xl"
                  color={isMet ? 'teal' : 'gray'}
                  role="img"
                  aria-label={isMet ? 'Done' : 'To do'}
                >
                  {isMet ? <IconCheck size={14} /> : <IconCircleDashed size={14} />}
                </ThemeIcon>
              }
            >
              {words}
            </List.Item>
          ))}
        </List>
      )}
      <WaysIn sso={sso} />
      <Group>
        <ActionButton
          variant={require ? 'filled' : 'default'}
          reason={mayRequire ? (require ? unmet?.words : undefined) : forOwners}
          onClick={() => setAsked(true)}
        >
          {require ? 'Require single sign-on…' : 'Let passwords in again…'}
        </ActionButton>
        <RecoveryCodes
          orgId={orgId}
          codesLeft={status.ownRecoveryCodesLeft}
          reason={mayRequire ? undefined : forOwners}
        />
      </Group>
      <ConfirmDialog
        title={require ? 'Require single sign-on?' : 'Let passwords in again?'}
        sentences={
          require
            ? [
                'Members no longer come in by password, and sessions that were obtained by one no longer open this organization.',
                `Owners come in by a recovery code when the directory fails: ${status.recoveryCodesLeft} left.`,
                'The operator of the server can let passwords in again.',
              ]
            : ['Members who have a password sign in by it again, beside the directory.']
        }
        action={require ? 'Require' : 'Let passwords in'}
        opened={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={save}
        isPending={saving.isPending}
        error={saving.error}
      />
    </Stack>
  );
}

const WaysIn = ({ sso }: { readonly sso: Sso }): ReactNode => (
  <div className={classes['scroll']} tabIndex={0} role="group" aria-label="Who comes in now, and how">
    <Table captionSide="top">
      <Table.Caption ta="left">Who comes in now, and how</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Who</Table.Th>
          <Table.Th>How</Table.Th>
          <Table.Th>Now</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {waysIn(sso).map(({ who, how, isOpen, why }) => (
          <Table.Tr key={how}>
            <Table.Td>{who}</Table.Td>
            <Table.Td>{how}</Table.Td>
            <Table.Td>
              {isOpen ? 'Yes' : 'No'}
              {why !== undefined && `: ${why}`}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </div>
);
