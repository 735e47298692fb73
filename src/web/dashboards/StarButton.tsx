import { ActionIcon, Tooltip } from '@mantine/core';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { starredQuery } from './list/starred-queries.ts';
import { useStar } from './use-star.ts';

const starColor = 'light-dark(var(--mantine-color-yellow-9), var(--mantine-color-yellow-5))';

/** Gives the dashboard that one looks at a star, or takes it. */
export function StarButton({ dashboardId }: { readonly dashboardId: string }): ReactNode {
  const { data: starred = [] } = useQuery(starredQuery);
  const star = useStar(dashboardId);
  const isStarred = starred.includes(dashboardId);
  return (
    <Tooltip label={isStarred ? 'Remove the star' : 'Star this dashboard'}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-pressed={isStarred}
        aria-label="Star"
        onClick={() => star(!isStarred)}
      >
        {isStarred ? <IconStarFilled size={18} color={starColor} /> : <IconStar size={18} />}
      </ActionIcon>
    </Tooltip>
  );
}
