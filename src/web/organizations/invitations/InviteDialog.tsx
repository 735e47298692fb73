import { Button, Group, Modal, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Role } from '#contract/organizations/organizations.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { countedPeople } from '../../ui/text/nouns.ts';
import { InvitationResults } from './InvitationResults.tsx';
import { inviteOne, type InvitationResult } from './invite-one.ts';
import { readAddresses } from './addresses.ts';
import { rolesToGive, roleDescriptions } from '../members/rules.ts';

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
    <Modal opened={isOpen} onClose={close} title="Invite people" size="lg">
      {invite.isIdle ? (
        <Form
          action={addresses.length === 0 ? 'Invite' : `Invite ${countedPeople(addresses.length)}`}
          reason={reasonAgainstInviting(addresses, rest)}
          onSubmit={() => invite.mutate()}
          onCancel={close}
        >
          <Textarea
            label="Email addresses"
            description="One per line, or separated by commas"
            autosize
            minRows={3}
            maxRows={10}
            required
            data-autofocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            {...(rest.length > 0 && { error: `Not an email address: ${rest.slice(0, 5).join(', ')}` })}
          />
          <NativeSelect
            label="Role"
            description={roleDescriptions[role]}
            data={[...rolesToGive(myRole)]}
            value={role}
            onChange={(event) => setRole(event.currentTarget.value as Role)}
          />
          <Text size="sm" c="dimmed">
            Each person gets an email with a link that works for seven days. If no mail server is configured,
            you can copy the links here and send them yourself.
          </Text>
        </Form>
      ) : (
        <Stack>
          <Text size="sm" role="status">
            {invite.isPending
              ? `Inviting: ${results.length} of ${addresses.length}…`
              : `${countedPeople(results.filter(({ isInvited }) => isInvited).length)} invited.`}
          </Text>
          <InvitationResults results={results} />
          <Group justify="flex-end">
            <Button onClick={close} loading={invite.isPending}>
              Done
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function reasonAgainstInviting(addresses: readonly string[], rest: readonly string[]): string | undefined {
  if (rest.length > 0) return 'Correct the email addresses first.';
  return addresses.length === 0 ? 'Enter an email address first.' : undefined;
}
