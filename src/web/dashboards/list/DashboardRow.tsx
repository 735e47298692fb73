import { ActionIcon, Anchor, Group, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DashboardListItem } from '#contract/dashboards/listing.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { ItemPath } from '../../folders/ItemPath.tsx';
import { SelectBox } from '../../ui/selection/SelectBox.tsx';
import type { Selection } from '../../ui/selection/use-selection.ts';
import { TimeAgo } from '../../ui/text/TimeAgo.tsx';
import { DashboardRowMenu } from './DashboardRowMenu.tsx';
import { StarIcon } from '../StarIcon.tsx';
import { useStar } from '../use-star.ts';

/** A dashboard in a list. The owner is undefined in the list of private dashboards, which doesn't show it. */
export function DashboardRow({
  dashboard,
  owner,
  path,
  selection,
}: {
  readonly dashboard: DashboardListItem;
  readonly owner: string | undefined;
  /** The path of its folder, if it is to be shown; otherwise empty. */
  readonly path: string;
  /** Undefined for private dashboards, which aren't selected. */
  readonly selection: Selection<DashboardListItem> | undefined;
}): ReactNode {
  const { id, name, description, updatedAt, isStarred } = dashboard;
  const star = useStar(id);
  return (
    <Table.Tr {...(selection?.has(id) === true && { bg: 'var(--mantine-primary-color-light)' })}>
      {selection !== undefined && (
        <Table.Td w={32} pr={0}>
          <SelectBox item={dashboard} selection={selection} />
        </Table.Td>
      )}
      <Table.Td w={40} pr={0}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-pressed={isStarred}
          aria-label={t('Star {name}', { name })}
          onClick={() => star(!isStarred)}
        >
          <StarIcon isStarred={isStarred} />
        </ActionIcon>
      </Table.Td>
      <Table.Td>
        <Anchor
          renderRoot={(props) => <Link {...props} to={paths.dashboard} params={{ dashboardId: id }} />}
          c="inherit"
          fz="sm"
          fw={600}
          style={{ overflowWrap: 'anywhere' }}
        >
          {name}
        </Anchor>
        {description !== undefined && (
          <Text size="sm" c="dimmed" lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
            {description}
          </Text>
        )}
        <ItemPath path={path} />
        <Group gap={6} hiddenFrom="sm" fz="xs" c="dimmed">
          {owner !== undefined && <span>{owner},</span>}
          <TimeAgo at={updatedAt} />
        </Group>
      </Table.Td>
      {owner !== undefined && (
        <Table.Td w={180} visibleFrom="sm">
          <Text size="sm" truncate maw={180}>
            {owner}
          </Text>
        </Table.Td>
      )}
      <Table.Td w={140} visibleFrom="sm" fz="sm" c="dimmed">
        <TimeAgo at={updatedAt} />
      </Table.Td>
      <Table.Td w={48} pl={0}>
        <DashboardRowMenu dashboard={dashboard} />
      </Table.Td>
    </Table.Tr>
  );
}
