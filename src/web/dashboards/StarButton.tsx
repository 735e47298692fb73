import { ActionIcon, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { starredQuery } from './list/queries.ts';
import { StarIcon } from './StarIcon.tsx';
import { useStar } from './use-star.ts';

/** Stars or unstars the dashboard that is shown. */
export function StarButton({ dashboardId }: { readonly dashboardId: string }): ReactNode {
  const { data: starred = [] } = useQuery(starredQuery);
  const star = useStar(dashboardId);
  const isStarred = starred.includes(dashboardId);
  return (
    <Tooltip label={isStarred ? t('Remove the star') : t('Star this dashboard')}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-pressed={isStarred}
        aria-label={t('Star')}
        onClick={() => star(!isStarred)}
      >
        <StarIcon isStarred={isStarred} />
      </ActionIcon>
    </Tooltip>
  );
}
