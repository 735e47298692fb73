import { Button } from '@mantine/core';
import { IconClock, IconSearchOff, IconStar, IconUser } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { ListFilter, ListSearch } from './search.ts';

type Words = Pick<ComponentProps<typeof EmptyState>, 'icon' | 'title'> & { readonly advice: string };

const words: Readonly<Record<ListFilter, Words>> = {
  own: {
    icon: IconUser,
    title: 'None of these dashboards is yours',
    advice: 'A dashboard that you make, or that is handed over to you, is found here.',
  },
  starred: {
    icon: IconStar,
    title: 'You have starred none yet',
    advice: 'Press the star beside a dashboard that you often need. Nobody else sees your stars.',
  },
  recent: {
    icon: IconClock,
    title: 'You have opened none yet',
    advice: 'The dashboards that you open are found here, the last one first.',
  },
};

/** What stands where a search or a filter finds nothing, with the way back. */
export function EmptyList({
  search: { q, show },
  onClear,
}: {
  readonly search: ListSearch;
  readonly onClear: () => void;
}): ReactNode {
  if (q === undefined && show !== undefined) {
    const { advice, ...rest } = words[show];
    return <EmptyState {...rest}>{advice}</EmptyState>;
  }
  return (
    <EmptyState
      icon={IconSearchOff}
      title="Nothing is found"
      action={
        <Button variant="default" onClick={onClear}>
          Clear the search
        </Button>
      }
    >
      No dashboard has words that begin with “{q}” in its name or its description.
    </EmptyState>
  );
}
