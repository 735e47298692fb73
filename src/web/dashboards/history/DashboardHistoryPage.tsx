import { Button, Grid, Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../app/paths.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { MoreButton } from '../../ui/MoreButton.tsx';
import { Page } from '../../ui/Page.tsx';
import { VersionLine } from '../../ui/VersionLine.tsx';
import { Waiting } from '../../ui/Waiting.tsx';
import classes from './DashboardHistoryPage.module.css';
import { dashboardQuery } from '../dashboard-queries.ts';
import { versionsQuery } from './history-queries.ts';
import { NotAnEditor } from '../edit/NotAnEditor.tsx';
import { permissionsQuery } from '../share/sharing-queries.ts';
import { VersionDetails } from './VersionDetails.tsx';

/** The versions of a dashboard: who made each, what was in it, what changed, and the way back to it. */
export function DashboardHistoryPage(): ReactNode {
  const { dashboardId } = useParams({ from: paths.dashboardHistory });
  const { dashboard } = useSuspenseQuery(dashboardQuery(dashboardId)).data;
  const { data: permissions } = useQuery(permissionsQuery(dashboardId));
  return (
    <Page
      title={`History of ${dashboard.name}`}
      actions={
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to={paths.dashboard} params={{ dashboardId }} />}
        >
          To the dashboard
        </Button>
      }
    >
      {permissions === undefined ? (
        <Waiting height={320} />
      ) : permissions.access === 'view' ? (
        <NotAnEditor dashboardId={dashboardId} title="Whoever may edit a dashboard may read its history" />
      ) : (
        <Versions dashboardId={dashboardId} organizationId={dashboard.organizationId} />
      )}
    </Page>
  );
}

function Versions({
  dashboardId,
  organizationId,
}: {
  readonly dashboardId: string;
  readonly organizationId: string | undefined;
}): ReactNode {
  const search = useSearch({ from: paths.dashboardHistory });
  const versions = useInfiniteQuery(versionsQuery(dashboardId));
  const items = versions.data?.pages.flatMap((page) => page.items) ?? [];
  const newest = items[0]?.version;
  if (newest === undefined) {
    return versions.error === null ? (
      <Waiting height={320} />
    ) : (
      <Failure error={versions.error} retry={() => void versions.refetch()} />
    );
  }
  const shown = Number(search.version ?? newest);
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 4 }}>
        <nav aria-label="Versions">
          <Stack gap={2}>
            {items.map((item) => (
              <Link
                key={item.version}
                to={paths.dashboardHistory}
                params={{ dashboardId }}
                search={{ version: `${item.version}` }}
                resetScroll={false}
                className={classes['version'] ?? ''}
                aria-current={item.version === shown ? 'true' : undefined}
                activeProps={{}}
              >
                <VersionLine version={item} isNewest={item.version === newest} />
              </Link>
            ))}
            <MoreButton list={versions}>Show older versions</MoreButton>
          </Stack>
        </nav>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 8 }}>
        <VersionDetails
          key={shown}
          dashboardId={dashboardId}
          organizationId={organizationId}
          version={shown}
          newest={newest}
          comparedWith={search.with === undefined ? shown - 1 : Number(search.with)}
        />
      </Grid.Col>
    </Grid>
  );
}
