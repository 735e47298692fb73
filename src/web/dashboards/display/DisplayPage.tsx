import { CatchBoundary, useLocation, useSearch, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { useChunkReload } from '../../ui/connection/use-chunk-reload.ts';
import { secondsOf } from '../present/search.ts';
import { DisplayedPresentation } from './DisplayedPresentation.tsx';
import { DisplayMessage } from './DisplayMessage.tsx';
import { AwayNotice } from './AwayNotice.tsx';
import { useDisplay } from './use-display.ts';

/**
 * The page of a wall display, which needs no session. The token stays in the fragment of the address: browsers send that to nobody, and a
 * display that reloads still has it.
 */
export function DisplayPage(): ReactNode {
  const token = useLocation({ select: ({ hash }) => hash });
  const everySeconds = secondsOf(useSearch({ from: paths.display }));
  if (token === '') {
    return (
      <DisplayMessage title={t('This address is incomplete')}>
        {t('Copy the whole link of the display, up to its last letter.')}
      </DisplayMessage>
    );
  }
  return (
    <CatchBoundary getResetKey={() => token} errorComponent={BrokenDisplay}>
      <Display key={token} token={token} everySeconds={everySeconds} />
    </CatchBoundary>
  );
}

function Display({
  token,
  everySeconds,
}: {
  readonly token: string;
  readonly everySeconds: number;
}): ReactNode {
  const { displayed, isRefused, awaySince, returns, check } = useDisplay(token);
  if (isRefused) {
    return (
      <DisplayMessage title={t('This link no longer works')}>
        {t(
          'It was revoked or has expired, or the person who created it can no longer share the dashboard. Ask for a new link.',
        )}
      </DisplayMessage>
    );
  }
  if (displayed === undefined) {
    return awaySince === undefined ? (
      <DisplayMessage title={t('Loading')} />
    ) : (
      <DisplayMessage title={t('The server isn’t responding')}>
        {t('The dashboard appears as soon as it does.')}
      </DisplayMessage>
    );
  }
  return (
    <>
      <DisplayedPresentation
        token={token}
        displayed={displayed}
        returns={returns}
        everySeconds={everySeconds}
        onFailure={check}
      />
      <AwayNotice since={awaySince} timeZone={displayed.organization.timeZone} />
    </>
  );
}

const reloadAfterMs = 60_000;

/** Nobody is there to reload the page. */
function BrokenDisplay({ error }: ErrorComponentProps): ReactNode {
  const isReloading = useChunkReload(error);
  useEffect(() => {
    const timer = setTimeout(() => location.reload(), reloadAfterMs);
    return () => clearTimeout(timer);
  }, []);
  if (isReloading) return <DisplayMessage title={t('Loading')} />;
  return (
    <DisplayMessage title={t('Something went wrong')}>
      {t('This page loads again in a minute.')}
    </DisplayMessage>
  );
}
