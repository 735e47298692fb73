import { Button, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link, useMatches, useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { ApiProblem, Unreachable, isNotFound } from '../api.ts';
import { paths } from '../paths.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { MissingChunk } from '../../ui/connection/chunks.ts';
import { useChunkReload } from '../../ui/connection/use-chunk-reload.ts';
import { errorMessage } from '../../ui/problems/message.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { signInAddress } from '../../ui/browser/return-to.ts';
import { Page } from '../../ui/page/Page.tsx';

/** Shown while a page loads. */
export function PagePending(): ReactNode {
  const isBare = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.isBare) });
  const content = (
    <Stack gap="lg" role="status">
      <VisuallyHidden>
        <Title order={1}>{t('Loading')}</Title>
      </VisuallyHidden>
      <Skeleton h={28} w={240} aria-hidden />
      <Skeleton h={220} aria-hidden />
    </Stack>
  );
  // In the frame, pages already have a main landmark.
  return isBare ? <main>{content}</main> : content;
}

/** Shown when a page fails to load. */
export function PageFailure({ error, reset }: ErrorComponentProps): ReactNode {
  const router = useRouter();
  const isReloading = useChunkReload(error);
  const retry = () => {
    if (error instanceof MissingChunk) return location.reload();
    reset();
    void router.invalidate();
  };
  if (isReloading) return <PagePending />;
  if (error instanceof Unreachable) {
    // The banner above the page shows the reason and can try again at once.
    return (
      <Page title={t('This page isn’t loaded yet')}>
        <Text c="dimmed">{t('It opens as soon as the server responds.')}</Text>
      </Page>
    );
  }
  if (isNotFound(error)) {
    return <NothingHere>{errorMessage(error).detail}</NothingHere>;
  }
  return (
    <Page title={t('This page can’t be shown')}>
      <Failure error={error} retry={retry}>
        {error instanceof ApiProblem && error.code === 'sso_required' && (
          <Button component="a" href={signInAddress(router.state.location.href)} size="xs" variant="default">
            {t('Sign in through the directory')}
          </Button>
        )}
        {error instanceof ApiProblem && error.code === 'session_limit_exceeded' && (
          <Button component="a" href={signInAddress(router.state.location.href)} size="xs" variant="default">
            {t('Sign in again')}
          </Button>
        )}
        <Button component={Link} to={paths.home} size="xs" variant="subtle">
          {t('Go to your dashboards')}
        </Button>
      </Failure>
    </Page>
  );
}

/** Shown for an address that no page has. */
export const NotFound = (): ReactNode => (
  <NothingHere>
    {t('Check the address for typing mistakes. It may also be from another version of Atrium.')}
  </NothingHere>
);

const NothingHere = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <Page title={t('Page not found')}>
    <EmptyState
      icon={IconMapOff}
      title={t('There is nothing at this address')}
      action={
        <Button component={Link} to={paths.home}>
          {t('Go to your dashboards')}
        </Button>
      }
    >
      {children}
    </EmptyState>
  </Page>
);
