import { Kbd, Modal, Skeleton, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { CatchBoundary } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { loadChunk } from '../../ui/connection/chunks.ts';
import { PartFailure } from '../../ui/problems/PartFailure.tsx';
import { commandKey } from '../shell/shortcuts/keyboard.ts';

const PaletteContent = lazy(async () => ({
  default: (await loadChunk('PaletteContent', () => import('./PaletteContent.tsx'))).PaletteContent,
}));

/** Shows only “Search…”, because the sidebar is too narrow for the whole name. */
export const PaletteButton = ({ onOpen }: { readonly onOpen: () => void }): ReactNode => (
  <UnstyledButton className="palette-button" onClick={onOpen}>
    <IconSearch size={16} aria-hidden />
    <Text size="sm" flex={1} truncate>
      {t('Search')}
      <VisuallyHidden>{` ${t('or run a command')}`}</VisuallyHidden>…
    </Text>
    <Kbd size="xs" visibleFrom="sm">
      {commandKey} K
    </Kbd>
  </UnstyledButton>
);

/** The command palette: finds records, pages and commands by name, from anywhere. */
export function Palette({
  orgId,
  isOpen,
  onOpen,
  onClose,
  onShowShortcuts,
}: {
  readonly orgId: string | undefined;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  readonly onShowShortcuts: () => void;
}): ReactNode {
  useHotkeys([['mod+K', isOpen ? onClose : onOpen]], [], true);
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      size={560}
      yOffset="10dvh"
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={t('Search or run a command')}>
        <CatchBoundary getResetKey={() => isOpen} errorComponent={PartFailure}>
          <Suspense fallback={<Skeleton h={50} />}>
            <PaletteContent orgId={orgId} onClose={onClose} onShowShortcuts={onShowShortcuts} />
          </Suspense>
        </CatchBoundary>
      </Modal.Content>
    </Modal.Root>
  );
}
