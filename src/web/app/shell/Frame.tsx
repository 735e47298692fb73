import { AppShell, Box, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useMatches, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { defaultBranding, setBranding } from '#shared/branding/branding.ts';
import { t } from '#shared/language/messages.ts';
import { defaultCalendar, setCalendar } from '#shared/region/calendar.ts';
import { defaultRegion, setRegion } from '#shared/region/region.ts';
import { paths } from '../paths.ts';
import { storeLastLogo, storeLastOrganization } from '../../ui/browser/last-organization.ts';
import { organizationsQuery } from '../../ui/server-data/session.ts';
import { followOrganization } from '../../ui/language/language.ts';
import { useAccent } from '../../ui/Theme.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import { ConfirmIdentity } from './session/ConfirmIdentity.tsx';
import { Navigation } from './Navigation.tsx';
import { ConnectionBanner } from './ConnectionBanner.tsx';
import { OrganizationSwitcher } from './OrganizationSwitcher.tsx';
import { Palette, PaletteButton } from '../palette/Palette.tsx';
import { RouteAnnouncer } from './RouteAnnouncer.tsx';
import { SessionEnded } from './session/SessionEnded.tsx';
import { ShortcutsDialog } from './shortcuts/ShortcutsDialog.tsx';
import { useCurrentOrganizationId } from './current-organization.ts';
import { useLetterShortcuts } from './shortcuts/use-letter-shortcuts.ts';
import { useReloadOnUserChange } from './session/use-reload-on-user-change.ts';

/** The frame around every page of signed-in people: navigation, dialogs and banners. */
export function Frame(): ReactNode {
  const [isOpen, { toggle, close }] = useDisclosure();
  const [isPaletteOpen, palette] = useDisclosure();
  const [areShortcutsOpen, shortcuts] = useDisclosure();
  const burger = useRef<HTMLButtonElement>(null);
  const orgId = useCurrentOrganizationId();
  const { data: organizations } = useQuery(organizationsQuery);
  const organization = organizations?.find(({ id }) => id === orgId);
  // While rendering, so that the page below is already written and drawn like this.
  setRegion(organization ?? defaultRegion);
  setCalendar(organization ?? defaultCalendar);
  setBranding(organization ?? defaultBranding);
  useAccent(organization?.accentColor ?? defaultBranding.accentColor);
  const isWide = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.isWide) });
  const address = useRouterState({ select: ({ location }) => location.pathname });

  useEffect(close, [address, close]);
  const isLoaded = organization !== undefined;
  useEffect(() => {
    if (organization !== undefined) followOrganization(organization.locale);
    // Not whenever its settings change: the page in which they are saved stays.
  }, [orgId, isLoaded]);
  const logoId = organization?.logoId;
  useEffect(() => {
    if (orgId === undefined || !isLoaded) return;
    storeLastOrganization(orgId);
    storeLastLogo(logoId);
  }, [orgId, isLoaded, logoId]);

  const closeByKey = ({ key, target }: KeyboardEvent) => {
    // Escape in an open menu closes only that menu.
    if (key !== 'Escape' || !isOpen || (target as Element).closest('[role=menu]') !== null) return;
    close();
    burger.current?.focus();
  };
  useLetterShortcuts(orgId, shortcuts.open);
  useReloadOnUserChange();
  return (
    <AppShell
      header={{ height: { base: 52, sm: 0 } }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
      transitionDuration={0}
    >
      <a href="#main" className="skip-link">
        {t('Skip to content')}
      </a>
      <AppShell.Header hiddenFrom="sm" className="no-print" onKeyDown={closeByKey}>
        <Group h="100%" px="sm" gap="sm" wrap="nowrap">
          <Burger
            ref={burger}
            opened={isOpen}
            onClick={toggle}
            size="sm"
            aria-label={isOpen ? t('Close the menu') : t('Open the menu')}
          />
          <Text component={Link} to={paths.home} fw={600} c="inherit">
            Atrium
          </Text>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        p="sm"
        className="no-print"
        aria-label={t('Main')}
        data-closed={!isOpen}
        onKeyDown={closeByKey}
      >
        <AppShell.Section mb="sm">
          <OrganizationSwitcher orgId={orgId} />
        </AppShell.Section>
        <AppShell.Section mb="sm">
          <PaletteButton onOpen={palette.open} />
        </AppShell.Section>
        <AppShell.Section grow style={{ overflowY: 'auto' }}>
          <Navigation orgId={orgId} />
        </AppShell.Section>
        <AppShell.Section>
          <AccountMenu onShowShortcuts={shortcuts.open} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <ConnectionBanner />
        <Box maw={isWide ? undefined : 1200} mx="auto">
          <Outlet />
        </Box>
      </AppShell.Main>
      <Palette
        orgId={orgId}
        isOpen={isPaletteOpen}
        onOpen={palette.open}
        onClose={palette.close}
        onShowShortcuts={shortcuts.open}
      />
      <ShortcutsDialog isOpen={areShortcutsOpen} onClose={shortcuts.close} />
      <RouteAnnouncer />
      <SessionEnded />
      <ConfirmIdentity />
    </AppShell>
  );
}
