import { Button, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sessionQuery } from '../../ui/server-data/session.ts';
import classes from '../view/DashboardToolbar.module.css';
import type { LiveDashboard } from '../live/use-dashboard-events.ts';
import { versionOf } from '../../history/version-of.ts';

/** Reports that there is a newer version than the one shown, with a button that loads it. */
export function NewerVersion({
  dashboardId,
  etag,
  live: { version, savedBy },
}: {
  readonly dashboardId: string;
  readonly etag: string;
  readonly live: LiveDashboard;
}): ReactNode {
  const client = useQueryClient();
  const { data: signedIn } = useQuery(sessionQuery);
  const isNewer = version !== undefined && version > versionOf(etag);
  const who =
    savedBy === undefined ? 'Someone' : savedBy.userId === signedIn?.user.id ? 'You' : savedBy.userName;
  const load = () => void client.invalidateQueries({ queryKey: ['dashboards', dashboardId] });
  return (
    <div role="status" className={classes['newer']}>
      {isNewer && (
        <>
          <Text size="sm">{who === 'You' ? 'You have' : `${who} has`} changed this dashboard.</Text>
          <Button size="compact-sm" variant="light" onClick={load}>
            Load new version
          </Button>
        </>
      )}
    </div>
  );
}
