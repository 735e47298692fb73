import { Button, Group } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { StarIcon } from '../StarIcon.tsx';
import { starredLinksQuery } from './queries.ts';

/** The others are under the filter “Starred”. */
const maxShown = 8;

/** Links to the dashboards of an organization that you have starred, above its list, whatever folders they are in. */
export function StarredDashboards({ orgId }: { readonly orgId: string }): ReactNode {
  const { data } = useInfiniteQuery(starredLinksQuery(orgId));
  const starred = (data?.pages[0]?.items ?? []).filter(({ isStarred }) => isStarred).slice(0, maxShown);
  if (starred.length === 0) return null;
  return (
    <nav aria-label={t('Starred')}>
      <Group gap="xs">
        {starred.map(({ id, name }) => (
          <Button
            key={id}
            variant="default"
            size="xs"
            maw={240}
            leftSection={<StarIcon isStarred size={14} />}
            renderRoot={(props) => <Link {...props} to={paths.dashboard} params={{ dashboardId: id }} />}
          >
            {name}
          </Button>
        ))}
      </Group>
    </nav>
  );
}
