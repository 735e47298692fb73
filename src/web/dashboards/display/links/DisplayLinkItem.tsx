import { Badge, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dashboard } from '#contract/dashboards/dashboards.ts';
import type { DisplayLink } from '#contract/dashboards/display.ts';
import { t } from '#shared/language/messages.ts';
import { rich } from '../../../ui/text/rich.tsx';
import { TimeAgo } from '../../../ui/text/TimeAgo.tsx';
import { filtersText } from './link-address.ts';
import { WithheldWidgets } from './WithheldWidgets.tsx';
import classes from './WallDisplays.module.css';

/** A link for wall displays, with a button that revokes it. */
export function DisplayLinkItem({
  link: { name, filters, createdAt, createdByName, expiresAt, lastUsedAt, withheld },
  dashboard,
  onRevoke,
}: {
  readonly link: DisplayLink;
  readonly dashboard: Pick<Dashboard, 'widgets' | 'organizationId'>;
  readonly onRevoke: () => void;
}): ReactNode {
  const isExpired = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
  return (
    <li className={classes['item']}>
      <div className={classes['details']}>
        <Group gap="xs">
          <Text fw={500}>{name}</Text>
          {isExpired && (
            <Badge variant="light" color="gray" tt="none">
              {t('Expired')}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {lastUsedAt === undefined
            ? t('Not used yet')
            : rich('Last used {time}', { time: <TimeAgo at={lastUsedAt} /> })}
          {expiresAt !== undefined && !isExpired && (
            <> · {rich('expires {time}', { time: <TimeAgo at={lastMoment(expiresAt)} /> })}</>
          )}
        </Text>
        <Text size="sm" c="dimmed">
          {rich('Created by {name} {time}', { name: createdByName, time: <TimeAgo at={createdAt} /> })}
        </Text>
        {filters !== undefined && (
          <Text size="sm" c="dimmed">
            {t('Filters: {filters}', { filters: filtersText(filters) })}
          </Text>
        )}
        {withheld.length > 0 && <WithheldWidgets withheld={withheld} dashboard={dashboard} />}
      </div>
      <Button
        variant="default"
        size="xs"
        aria-label={t('Revoke the link {name}', { name })}
        onClick={onRevoke}
      >
        {t('Revoke')}
      </Button>
    </li>
  );
}

/** Midnight belongs to the last day of the link. */
const lastMoment = (expiresAt: string): string => new Date(Date.parse(expiresAt) - 1).toISOString();
