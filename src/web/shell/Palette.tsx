import { Kbd, Text, UnstyledButton } from '@mantine/core';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export const PaletteButton = (): ReactNode => (
  <UnstyledButton className="palette-button" onClick={() => spotlight.open()}>
    <IconSearch size={16} aria-hidden />
    <Text size="sm" flex={1}>
      Find or do…
    </Text>
    <Kbd size="xs">Ctrl K</Kbd>
  </UnstyledButton>
);

export const Palette = ({ orgId: _ }: { readonly orgId: string | undefined }): ReactNode => (
  <Spotlight actions={[]} shortcut="mod + K" nothingFound="Nothing is found." />
);
