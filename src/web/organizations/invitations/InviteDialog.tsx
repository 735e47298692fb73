import { Button, Group, Modal, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Role } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { InvitationResults } from './InvitationResults.tsx';
import { inviteOne, type InvitationResult } from './invite-one.ts';
import { readAddresses } from './addresses.ts';
import { rolesToGive, roleDescriptions } from '../members/rules.ts';
import { roleNames } from '../../ui/text/roles.ts';

/** Invites all pasted addresses, and shows the result of each. */
export function InviteDialog({
  orgId,
  myRole,
  isOpen,
  onClose,
}: {
  readonly orgId: string;
  readonly myRole: Role | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const [text, setText] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const [results, setResults] = useState<readonly InvitationResult[]>([]);
  const { addresses, rest } = readAddresses(text);
  const client = useQueryClient();
  const invite = useMutation({
    mutationFn: async () => {
      setResults([]);
      for (const email of addresses) {
        const result = await inviteOne(orgId, email, role);
        setResults((before) => [...before, result]);
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['invitations', orgId] }),
  });
  const close = () => {
    onClose();
    setText('');
    setResults([]);
    invite.reset();
  };
  return (
    <Modal opened={isOpen} onClose={close} title={t('Invite people')} size="lg">
      {invite.isIdle ? (
        <Form
          action={
            addresses.length === 0
              ? t('Invite')
              : t('Invite {count, plural, one {# person} other {# people}}', { count: addresses.length })
          }
          reason={reasonAgainstInviting(addresses, rest)}
          onSubmit={() => invite.mutate()}
          onCancel={close}
        >
          <Textarea
            label={t('Email addresses')}
            description={t('One per line, or separated by commas')}
            autosize
            minRows={3}
            maxRows={10}
            required
            data-autofocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            {...(rest.length > 0 && {
              error: t('Not an email address: {rest}', { rest: rest.slice(0, 5).join(', ') }),
            })}
          />
          <NativeSelect
            label={t('Role')}
            description={roleDescriptions[role]}
            data={rolesToGive(myRole).map((value) => ({ value, label: roleNames[value] }))}
            value={role}
            onChange={(event) => setRole(event.currentTarget.value as Role)}
          />
          <Text size="sm" c="dimmed">
            {t(
              'Each person gets an email with a link that works for seven days. If no mail server is configured, you can copy the links here and send them yourself.',
            )}
          </Text>
        </Form>
      ) : (
        <Stack>
          <Text size="sm" role="status">
            {invite.isPending
              ? t('Inviting: {count} of {count2}…', { count: results.length, count2: addresses.length })
              : t('{count, plural, one {# person} other {# people}} invited.', {
                  count: results.filter(({ isInvited }) => isInvited).length,
                })}
          </Text>
          <InvitationResults results={results} />
          <Group justify="flex-end">
            <Button onClick={close} loading={invite.isPending}>
              {t('Done')}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function reasonAgainstInviting(addresses: readonly string[], rest: readonly string[]): string | undefined {
  if (rest.length > 0) return t('Correct the email addresses first.');
  return addresses.length === 0 ? t('Enter an email address first.') : undefined;
}
