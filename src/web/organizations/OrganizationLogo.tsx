import { FileButton, Group, Stack, Text } from '@mantine/core';
import { IconTrash, IconUpload } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Organization } from '#contract/organizations/organizations.ts';
import { logoTypes } from '#shared/branding/logo.ts';
import { t } from '#shared/language/messages.ts';
import { call, callWithFile } from '../app/api.ts';
import { ActionButton } from '../ui/actions/ActionButton.tsx';
import { Logo } from '../ui/Logo.tsx';
import { notifyDone } from '../ui/notifications/notify.ts';
import { Failure } from '../ui/problems/Failure.tsx';
import { reasonAgainst } from '../ui/text/permissions.ts';

/** Shows, uploads and removes the logo of an organization. */
export function OrganizationLogo({ organization }: { readonly organization: Organization }): ReactNode {
  const { id: orgId, role, logoId } = organization;
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: ['organizations'] });
  const upload = useMutation({
    mutationFn: (file: File) =>
      callWithFile('PUT /api/organizations/{orgId}/logo', file, { params: { orgId } }),
    onSuccess: () => {
      notifyDone(t('Logo saved.'));
      return refresh();
    },
  });
  const removal = useMutation({
    mutationFn: () => call('DELETE /api/organizations/{orgId}/logo', { params: { orgId } }),
    onSuccess: () => {
      notifyDone(t('Logo removed.'));
      return refresh();
    },
  });
  const reason = reasonAgainst('organization.change', role);
  const error = upload.error ?? removal.error;
  return (
    <Stack gap="xs" role="group" aria-label={t('Logo')}>
      <Text size="sm" fw={500}>
        {t('Logo')}
      </Text>
      <Text size="xs" c="dimmed">
        {t(
          'PNG, JPEG or WebP, up to 256 KB and 1,024 pixels wide and high. In the navigation, on sign-in pages, in presentations and in exports.',
        )}
      </Text>
      <Group gap="sm">
        <Logo key={logoId} logoId={logoId} height={40} />
        <FileButton
          accept={logoTypes.join(',')}
          onChange={(file) => {
            if (file === null) return;
            removal.reset();
            upload.mutate(file);
          }}
        >
          {({ onClick }) => (
            <ActionButton
              size="xs"
              variant="default"
              leftSection={<IconUpload size={14} aria-hidden />}
              loading={upload.isPending}
              reason={reason}
              onClick={onClick}
            >
              {t('Upload a logo')}
            </ActionButton>
          )}
        </FileButton>
        {logoId !== undefined && (
          <ActionButton
            size="xs"
            variant="subtle"
            color="red"
            leftSection={<IconTrash size={14} aria-hidden />}
            loading={removal.isPending}
            reason={reason}
            onClick={() => {
              upload.reset();
              removal.mutate();
            }}
          >
            {t('Remove the logo')}
          </ActionButton>
        )}
      </Group>
      {error !== null && <Failure error={error} />}
    </Stack>
  );
}
