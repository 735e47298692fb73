import { Button, Group } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Dashboard } from '#contract/dashboards/dashboards.ts';
import { call } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { notifyError } from '../../ui/notify.ts';
import { Page } from '../../ui/Page.tsx';

/** Stands in the place of a dashboard that was deleted while one looked at it. */
export function DeletedDashboard({ dashboard }: { readonly dashboard: Dashboard }): ReactNode {
  const { id, name, organizationId } = dashboard;
  const { mutate, isPending } = useMutation({
    mutationFn: () => call('POST /api/bin/dashboards/{dashboardId}/restore', { params: { dashboardId: id } }),
    // The stream of its events ended with it; what was read before goes with the page.
    onSuccess: () => location.reload(),
    onError: notifyError,
  });
  return (
    <Page title={name}>
      <EmptyState
        icon={IconTrash}
        title="This dashboard was deleted"
        action={
          <Group>
            {organizationId === undefined ? (
              <Button renderRoot={(props) => <Link {...props} to={paths.ownDashboards} />}>
                To your dashboards
              </Button>
            ) : (
              <Button
                renderRoot={(props) => (
                  <Link {...props} to={paths.dashboards} params={{ orgId: organizationId }} />
                )}
              >
                To the dashboards
              </Button>
            )}
            <Button variant="default" loading={isPending} onClick={() => mutate()}>
              Take it back
            </Button>
          </Group>
        }
      >
        It stays in the bin for 30 days. Whoever may edit it can take it out.
      </EmptyState>
    </Page>
  );
}
