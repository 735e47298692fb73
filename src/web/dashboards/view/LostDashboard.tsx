import { Button, Group } from '@mantine/core';
import { IconMapOff, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Dashboard } from '#contract/dashboards/dashboards.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { notifyError } from '../../ui/notifications/notify.ts';
import { Page } from '../../ui/page/Page.tsx';
import { trashOf } from '../../ui/server-data/trash.ts';
import type { LiveDashboard } from '../live/use-dashboard-events.ts';

/** Replaces a dashboard that was deleted, or that you lost access to, while you were viewing it. */
export function LostDashboard({
  dashboard,
  endReason,
}: {
  readonly dashboard: Dashboard;
  readonly endReason: NonNullable<LiveDashboard['endReason']>;
}): ReactNode {
  const { id, name, organizationId } = dashboard;
  const { mutate, isPending } = useMutation({
    mutationFn: () => trashOf.dashboard.restore(id),
    // The event stream has ended, and cached data is outdated: both start over with the page.
    onSuccess: () => location.reload(),
    onError: notifyError,
  });
  return (
    <Page title={name}>
      <EmptyState
        icon={endReason === 'deleted' ? IconTrash : IconMapOff}
        title={
          endReason === 'deleted'
            ? t('This dashboard was deleted')
            : t('This dashboard was deleted, or you can no longer view it')
        }
        action={
          <Group>
            {organizationId === undefined ? (
              <Button renderRoot={(props) => <Link {...props} to={paths.privateDashboards} />}>
                {t('Private dashboards')}
              </Button>
            ) : (
              <Button
                renderRoot={(props) => (
                  <Link {...props} to={paths.dashboards} params={{ orgId: organizationId }} />
                )}
              >
                {t('Dashboards')}
              </Button>
            )}
            {endReason === 'deleted' && (
              <Button variant="default" loading={isPending} onClick={() => mutate()}>
                {t('Restore')}
              </Button>
            )}
          </Group>
        }
      >
        {endReason === 'deleted'
          ? t('It stays in the trash for 30 days. Anyone who can edit it can restore it.')
          : t(
              'If it was deleted, anyone who can edit it can restore it from the trash for 30 days. Otherwise, ask its owner or an admin of the organization for access.',
            )}
      </EmptyState>
    </Page>
  );
}
