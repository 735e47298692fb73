import { Group, List, Stack, Table, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconCircleDashed } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { may } from '#shared/permissions.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { ConfirmDialog } from '../../ui/actions/ConfirmDialog.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import classes from '../sso.module.css';
import type { Sso } from '../queries.ts';
import { useActor } from '../use-actor.ts';
import { usePolicySaving } from '../connection/use-saving.ts';
import { signInMethods } from '../sign-in-methods.ts';

const forOwners = t('Only owners of the organization can do this.');

/** Requires single sign-on, once owners can still sign in when the directory fails, or allows passwords again. */
export function RequireStep({ sso }: { readonly sso: Sso }): ReactNode {
  const { orgId, role, status, policy } = sso;
  const { signedInThroughDirectory } = useActor(orgId);
  const [isAsked, setAsked] = useState(false);
  const saving = usePolicySaving(sso);
  const mayRequire = may(role, 'sso.require');
  const requirements = [
    { isMet: status.state === 'ready', label: t('Turn on single sign-on and check that it works.') },
    {
      isMet: status.recoveryCodesLeft > 0,
      label: t('Create recovery codes, with which owners can sign in when the directory fails.'),
    },
    {
      isMet: signedInThroughDirectory,
      label: t('Sign in through the directory yourself to check that it works for you.'),
    },
  ];
  const unmet = requirements.find(({ isMet }) => !isMet);
  const require = !policy.requireSso;
  const save = () =>
    saving.mutate(
      { ...policy, requireSso: require },
      {
        onSuccess() {
          setAsked(false);
          notifyDone(require ? t('Single sign-on is required.') : t('Password sign-in is allowed again.'));
        },
      },
    );
  return (
    <Stack>
      <Text size="sm">
        {t(
          'Members can then sign in only through the directory. Their passwords no longer give access to this organization.',
        )}
      </Text>
      {require && (
        <List listStyleType="none" spacing="xs" size="sm" aria-label={t('Requirements')}>
          {requirements.map(({ isMet, label }) => (
            <List.Item
              key={label}
              icon={
                <ThemeIcon
                  variant="light"
                  size={22}
                  radius="xl"
                  color={isMet ? 'teal' : 'gray'}
                  role="img"
                  aria-label={isMet ? t('Done') : t('To do')}
                >
                  {isMet ? <IconCheck size={14} /> : <IconCircleDashed size={14} />}
                </ThemeIcon>
              }
            >
              {label}
            </List.Item>
          ))}
        </List>
      )}
      <SignInMethods sso={sso} />
      <Group>
        <ActionButton
          variant={require ? 'filled' : 'default'}
          reason={mayRequire ? (require ? unmet?.label : undefined) : forOwners}
          onClick={() => setAsked(true)}
        >
          {require ? t('Require single sign-on…') : t('Allow passwords again…')}
        </ActionButton>
        <RecoveryCodes
          orgId={orgId}
          codesLeft={status.ownRecoveryCodesLeft}
          reason={mayRequire ? undefined : forOwners}
        />
      </Group>
      <ConfirmDialog
        title={require ? t('Require single sign-on?') : t('Allow passwords again?')}
        sentences={
          require
            ? [
                t(
                  'Members can no longer sign in with a password, and sessions started with one lose access to this organization.',
                ),
                t(
                  'Owners can sign in with a recovery code when the directory fails: {recoveryCodesLeft} left.',
                  { recoveryCodesLeft: status.recoveryCodesLeft },
                ),
                t('The operator of the server can allow passwords again.'),
              ]
            : [t('Members who have a password can sign in with it again, as well as through the directory.')]
        }
        action={require ? t('Require') : t('Allow passwords')}
        opened={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={save}
        isPending={saving.isPending}
        error={saving.error}
      />
    </Stack>
  );
}

const SignInMethods = ({ sso }: { readonly sso: Sso }): ReactNode => (
  <div className={classes['scroll']} tabIndex={0} role="group" aria-label={t('Who can sign in')}>
    <Table captionSide="top">
      <Table.Caption ta="left">{t('Who can sign in')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Who')}</Table.Th>
          <Table.Th>{t('How')}</Table.Th>
          <Table.Th>{t('Now')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {signInMethods(sso).map(({ who, how, isOpen, why }) => (
          <Table.Tr key={how}>
            <Table.Td>{who}</Table.Td>
            <Table.Td>{how}</Table.Td>
            <Table.Td>
              {isOpen ? t('Yes') : t('No')}
              {why !== undefined && `: ${why}`}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </div>
);
