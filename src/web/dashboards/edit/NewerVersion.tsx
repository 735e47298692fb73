import { Button, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
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
  const load = () => void client.invalidateQueries({ queryKey: ['dashboards', dashboardId] });
  return (
    <div role="status" className={classes['newer']}>
      {isNewer && (
        <>
          <Text size="sm">
            {savedBy === undefined
              ? t('Someone has changed this dashboard.')
              : savedBy.userId === signedIn?.user.id
                ? t('You have changed this dashboard.')
                : t('{name} has changed this dashboard.', { name: savedBy.userName })}
          </Text>
          <Button size="compact-sm" variant="light" onClick={load}>
            {t('Load new version')}
          </Button>
        </>
      )}
    </div>
  );
}
