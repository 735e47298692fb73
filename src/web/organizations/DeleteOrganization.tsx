import { Anchor, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Organization } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { may } from '#shared/permissions.ts';
import { call } from '../app/api.ts';
import { paths } from '../app/paths.ts';
import { ActionButton } from '../ui/actions/ActionButton.tsx';
import { ConfirmDialog } from '../ui/actions/ConfirmDialog.tsx';
import { CopyField } from '../ui/forms/CopyField.tsx';
import { reasonAgainst } from '../ui/text/permissions.ts';
import { exportAnchor } from './ExportOrganization.tsx';

/** Deletes an organization after its name was entered, and then shows the link that restores it. */
export function DeleteOrganization({ organization }: { readonly organization: Organization }): ReactNode {
  const { id: orgId, name, role } = organization;
  const [isAsking, ask] = useDisclosure();
  const [entered, setEntered] = useState('');
  const client = useQueryClient();
  const { data: contents } = useQuery({
    queryKey: ['organizations', orgId, 'contents'],
    queryFn: () => call('GET /api/organizations/{orgId}/contents', { params: { orgId } }),
    enabled: isAsking,
  });
  const remove = useMutation({
    mutationFn: () =>
      call('POST /api/organizations/{orgId}/delete', { params: { orgId }, body: { name: entered } }),
  });
  const leave = () => {
    client.clear();
    location.assign(paths.home);
  };
  return (
    <Stack>
      <Text size="sm">
        {t(
          'Nobody can use the organization from then on. Owners can restore it for 30 days. After that, everything in it is deleted.',
        )}{' '}
        {may(role, 'organization.export') && (
          <Anchor href={`#${exportAnchor}`} size="sm" underline="always">
            {t('Download all data first')}
          </Anchor>
        )}
      </Text>
      <Group>
        <ActionButton
          variant="default"
          reason={reasonAgainst('organization.delete', role)}
          onClick={ask.open}
        >
          {t('Delete {name}', { name })}
        </ActionButton>
      </Group>
      {remove.data === undefined ? (
        <ConfirmDialog
          title={t('Delete {name}?', { name })}
          sentences={[
            ...(contents === undefined
              ? []
              : [
                  t(
                    '{dashboards, plural, one {# dashboard} other {# dashboards}}, {reports, plural, one {# report} other {# reports}} and {tables, plural, one {# table} other {# tables}} will be deleted, for {members, plural, one {# member} other {# members}}.',
                    contents,
                  ),
                ]),
            t('Sessions, tokens, webhooks and wall displays stop immediately.'),
            t('Owners can restore it for 30 days. After that, nothing of it is left on the server.'),
          ]}
          action={t('Delete')}
          opened={isAsking}
          onClose={ask.close}
          onConfirm={() => remove.mutate()}
          isPending={remove.isPending}
          isLoading={entered !== name}
          error={remove.error}
        >
          <TextInput
            label={t('Enter {name} to confirm', { name })}
            value={entered}
            onChange={(event) => setEntered(event.currentTarget.value)}
            autoComplete="off"
          />
        </ConfirmDialog>
      ) : (
        <Modal
          opened={isAsking}
          onClose={leave}
          closeOnClickOutside={false}
          title={t('{name} was deleted', { name })}
        >
          <Stack>
            <Text>
              {t('Save this link. With it, you can restore the organization without signing in.')}
              {remove.data.mailed && ` ${t('Owners also get such a link by email.')}`}
            </Text>
            <CopyField label={t('Link')} value={remove.data.restoreLink} />
            <Group justify="flex-end">
              <Button onClick={leave}>{t('Continue')}</Button>
            </Group>
          </Stack>
        </Modal>
      )}
    </Stack>
  );
}
