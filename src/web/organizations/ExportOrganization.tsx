import { Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Organization } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { may } from '#shared/permissions.ts';
import { addressOf, call } from '../app/api.ts';
import { ActionButton } from '../ui/actions/ActionButton.tsx';
import { followDownload } from '../ui/browser/save-file.ts';
import { notifyDone } from '../ui/notifications/notify.ts';
import { Failure } from '../ui/problems/Failure.tsx';
import { formatBytes } from '../ui/text/bytes.ts';
import { reasonAgainst } from '../ui/text/permissions.ts';

/** The fragment of the section on the page of the settings. */
export const exportAnchor = 'export';

/** Shows how much an organization has, and downloads all of it. */
export function ExportOrganization({ organization }: { readonly organization: Organization }): ReactNode {
  const { id: orgId, role } = organization;
  const params = { orgId };
  const { data: contents } = useQuery({
    queryKey: ['organizations', orgId, 'data-export'],
    queryFn: () => call('GET /api/organizations/{orgId}/data-export/contents', { params }),
    enabled: may(role, 'organization.export'),
  });
  const download = useMutation({
    // The browser writes the archive to the disk as it arrives, and would not show an error.
    mutationFn: () =>
      call('GET /api/organizations/{orgId}/data-export/contents', { params, query: { for: 'download' } }),
    onSuccess: () => {
      followDownload(addressOf('GET /api/organizations/{orgId}/data-export', { params }));
      notifyDone(t('The download has started.'));
    },
  });
  return (
    <Stack>
      <Text size="sm">
        {t(
          'One ZIP archive has dashboards, reports, uploaded tables, members, settings and both logs, without passwords and other secrets. Both logs record the download, and the owners get an email.',
        )}
      </Text>
      {contents !== undefined && (
        <Text size="sm">
          {t(
            '{dashboards, plural, one {# dashboard} other {# dashboards}}, {reports, plural, one {# report} other {# reports}}, {tables, plural, one {# uploaded table} other {# uploaded tables}} ({size}) and {logEntries, plural, one {# log entry} other {# log entries}}, with what is in the trash.',
            { ...contents, size: formatBytes(contents.tableBytes) },
          )}
        </Text>
      )}
      <Group>
        <ActionButton
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          reason={reasonAgainst('organization.export', role)}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          {t('Download all data')}
        </ActionButton>
      </Group>
      {download.error !== null && <Failure error={download.error} />}
    </Stack>
  );
}
