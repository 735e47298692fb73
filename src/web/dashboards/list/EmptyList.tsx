import { Button } from '@mantine/core';
import { IconClock, IconSearchOff, IconStar, IconUser } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import type { ListFilter, ListSearch } from './search.ts';

type Message = Pick<ComponentProps<typeof EmptyState>, 'icon' | 'title'> & { readonly advice: string };

const messages: Readonly<Record<ListFilter, Message>> = {
  own: {
    icon: IconUser,
    title: t("You don't own any of these dashboards"),
    advice: t('Dashboards that you create, and dashboards that are transferred to you, appear here.'),
  },
  starred: {
    icon: IconStar,
    title: t('No starred dashboards'),
    advice: t('Star the dashboards that you use often. Only you can see your stars.'),
  },
  recent: {
    icon: IconClock,
    title: t('No recent dashboards'),
    advice: t('Dashboards that you open appear here, the most recent first.'),
  },
};

/** Shown if a search or a filter finds nothing, with a button that clears the search. */
export function EmptyList({
  search: { q, show },
  onClear,
}: {
  readonly search: ListSearch;
  readonly onClear: () => void;
}): ReactNode {
  if (q === undefined && show !== undefined) {
    const { advice, ...rest } = messages[show];
    return <EmptyState {...rest}>{advice}</EmptyState>;
  }
  return (
    <EmptyState
      icon={IconSearchOff}
      title={t('No dashboards found')}
      action={
        <Button variant="default" onClick={onClear}>
          {t('Clear search')}
        </Button>
      }
    >
      {t('No dashboard has a word that starts with “{q}” in its name or description.', { q: q ?? '' })}
    </EmptyState>
  );
}
