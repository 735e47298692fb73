import { Button, Stack, Text } from '@mantine/core';
import { IconFolder, IconLayoutGrid, IconLayoutList } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { Place } from '../draft/moving.ts';

const icons = { top: IconLayoutGrid, tab: IconFolder, section: IconLayoutList } as const;

/** The places that a widget or a section can be moved to. */
export function PlaceList({
  places,
  current,
  onChoose,
}: {
  readonly places: readonly Place[];
  /** The key of the place where it is. */
  readonly current: string;
  readonly onChoose: (key: string) => void;
}): ReactNode {
  const others = places.filter(({ key }) => key !== current);
  if (others.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('There is no other place yet. Add a tab or a section first, with the menu next to “Add widget”.')}
      </Text>
    );
  }
  return (
    <Stack
      component="ul"
      gap={4}
      m={0}
      p={0}
      role="list"
      aria-label={t('Places')}
      style={{ listStyle: 'none' }}
    >
      {others.map(({ key, kind, name }, index) => {
        const Icon = icons[kind];
        return (
          <li key={key}>
            <Button
              fullWidth
              variant="subtle"
              justify="flex-start"
              leftSection={<Icon size={16} />}
              {...(index === 0 && { 'data-autofocus': true })}
              onClick={() => onChoose(key)}
            >
              {name}
            </Button>
          </li>
        );
      })}
    </Stack>
  );
}
