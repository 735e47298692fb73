import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import type { Dashboard } from '#contract/dashboards/dashboards.ts';
import type { DisplayLink } from '#contract/dashboards/display.ts';
import { t } from '#shared/language/messages.ts';
import { permissionsQuery } from '../../../sharing/queries.ts';
import type { Search } from '../../../ui/browser/search.ts';
import { Waiting } from '../../../ui/page/Waiting.tsx';
import { Failure } from '../../../ui/problems/Failure.tsx';
import { DisplayLinkItem } from './DisplayLinkItem.tsx';
import { NewDisplayLink } from './NewDisplayLink.tsx';
import { displayLinksQuery } from './queries.ts';
import { RevokeLinkDialog } from './RevokeLinkDialog.tsx';
import classes from './WallDisplays.module.css';

type LinkedDashboard = Pick<Dashboard, 'id' | 'organizationId' | 'widgets'>;

/** The links that show a dashboard on displays where nobody signs in, for people who may share it. */
export function WallDisplays({
  dashboard,
  filters,
  seconds,
}: {
  readonly dashboard: LinkedDashboard;
  /** The values of the filters that a new link has. */
  readonly filters: Search;
  /** How long a display shows each part of the dashboard. */
  readonly seconds: number;
}): ReactNode {
  const titleId = useId();
  const permissions = useQuery(permissionsQuery({ kind: 'dashboard', id: dashboard.id }));
  return (
    <section aria-labelledby={titleId} className={classes['section']}>
      <div>
        <Title order={3} fz="h5" id={titleId}>
          {t('Wall displays')}
        </Title>
        <Text size="sm" c="dimmed">
          {t(
            'A link shows this dashboard, and nothing else, on a screen where nobody signs in. It has your access to data.',
          )}
        </Text>
      </div>
      {dashboard.organizationId === undefined ? (
        <Text size="sm">{t('Only dashboards of an organization can have links.')}</Text>
      ) : permissions.error !== null ? (
        <Failure error={permissions.error} retry={() => void permissions.refetch()} />
      ) : permissions.data === undefined ? (
        <Waiting height={60} />
      ) : permissions.data.access === 'manage' ? (
        <Links dashboard={dashboard} orgId={dashboard.organizationId} filters={filters} seconds={seconds} />
      ) : (
        <Text size="sm">
          {t('Only its owner and the admins of the organization can create and see links.')}
        </Text>
      )}
    </section>
  );
}

function Links({
  dashboard,
  orgId,
  filters,
  seconds,
}: {
  readonly dashboard: LinkedDashboard;
  readonly orgId: string;
  readonly filters: Search;
  readonly seconds: number;
}): ReactNode {
  const { id: dashboardId } = dashboard;
  const links = useQuery(displayLinksQuery(dashboardId));
  const [revoking, setRevoking] = useState<DisplayLink>();
  return (
    <>
      {links.error !== null ? (
        <Failure error={links.error} retry={() => void links.refetch()} />
      ) : links.data === undefined ? (
        <Waiting height={60} />
      ) : (
        links.data.length > 0 && (
          <ul className={classes['list']} aria-label={t('Links')}>
            {links.data.map((link) => (
              <DisplayLinkItem
                key={link.id}
                link={link}
                dashboard={dashboard}
                onRevoke={() => setRevoking(link)}
              />
            ))}
          </ul>
        )
      )}
      <NewDisplayLink dashboardId={dashboardId} orgId={orgId} filters={filters} seconds={seconds} />
      <RevokeLinkDialog dashboardId={dashboardId} link={revoking} onClose={() => setRevoking(undefined)} />
    </>
  );
}
