import { List, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { AccountDeletionPreview } from '#contract/accounts/deletion.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../../../app/api.ts';
import { paths } from '../../../app/paths.ts';
import { storeLastLogo } from '../../../ui/browser/last-organization.ts';
import { Form } from '../../../ui/forms/Form.tsx';
import { Waiting } from '../../../ui/page/Waiting.tsx';
import { Failure } from '../../../ui/problems/Failure.tsx';
import { accountDeletionQuery } from '../queries.ts';
import { LeftOrganization, ownsAnything, trash } from './LeftOrganization.tsx';

/** Shows what deleting your account does, asks what becomes of what you own, and deletes it. */
export function DeleteAccountDialog({
  email,
  onClose,
}: {
  readonly email: string;
  readonly onClose: () => void;
}): ReactNode {
  const preview = useQuery(accountDeletionQuery);
  return (
    <Modal opened onClose={onClose} title={t('Delete your account')} size="lg">
      {preview.error !== null ? (
        <Failure error={preview.error} retry={() => void preview.refetch()} />
      ) : preview.data === undefined ? (
        <Waiting height={200} />
      ) : (
        <DeletionForm email={email} preview={preview.data} onClose={onClose} />
      )}
    </Modal>
  );
}

function DeletionForm({
  email,
  preview,
  onClose,
}: {
  readonly email: string;
  readonly preview: AccountDeletionPreview;
  readonly onClose: () => void;
}): ReactNode {
  const { organizations, personalDashboards, isLastOperator } = preview;
  const [choices, setChoices] = useState<Readonly<Record<string, string>>>({});
  const deciding = organizations.filter(
    (organization) => organization.mayHandOver && ownsAnything(organization),
  );
  const missing = deciding.find(({ organizationId }) => choices[organizationId] === undefined);
  const deletion = useMutation({
    mutationFn: (typed: string) =>
      call('POST /api/auth/delete-account', {
        body: {
          email: typed,
          organizations: deciding.map(({ organizationId }) => {
            const chosen = choices[organizationId];
            return { organizationId, handOverTo: chosen === trash ? null : (chosen ?? null) };
          }),
        },
      }),
    onSuccess: () => {
      storeLastLogo(undefined);
      // Everything that the page knows was of the account.
      location.assign(paths.signIn);
    },
  });
  return (
    <Form
      action={t('Delete account permanently')}
      reason={
        reasonAgainst(preview) ??
        (missing === undefined
          ? undefined
          : t('Choose what becomes of what you own in {name}.', { name: missing.name }))
      }
      error={deletion.error}
      isPending={deletion.isPending}
      onCancel={onClose}
      onSubmit={(field) => deletion.mutate(field('email'))}
    >
      <List size="sm">
        <List.Item>
          {t('Your sessions, tokens and second factors are deleted. You can’t undo this.')}
        </List.Item>
        <List.Item>
          {t('Comments, versions and logs show a random pseudonym instead of your name and address.')}
        </List.Item>
        {personalDashboards > 0 && (
          <List.Item>
            {t(
              '{count, plural, one {# dashboard outside of organizations is permanently deleted.} other {# dashboards outside of organizations are permanently deleted.}}',
              { count: personalDashboards },
            )}
          </List.Item>
        )}
      </List>
      {isLastOperator && (
        <Text size="sm">
          {t('You are the last operator of this server. Make another account an operator first.')}
        </Text>
      )}
      <Stack gap="md">
        {organizations.map((organization) => (
          <LeftOrganization
            key={organization.organizationId}
            organization={organization}
            chosen={choices[organization.organizationId] ?? null}
            onChoose={(choice) => setChoices({ ...choices, [organization.organizationId]: choice })}
          />
        ))}
      </Stack>
      <TextInput
        name="email"
        required
        autoComplete="off"
        label={t('Type your email address {email} to confirm', { email })}
      />
    </Form>
  );
}

function reasonAgainst({ organizations, isLastOperator }: AccountDeletionPreview): string | undefined {
  const solely = organizations.find(({ isLastOwner }) => isLastOwner);
  if (solely !== undefined)
    return t(
      'You are the last owner of {name}. Make another member an owner, or delete the organization first.',
      {
        name: solely.name,
      },
    );
  return isLastOperator ? t('You are the last operator of this server.') : undefined;
}
