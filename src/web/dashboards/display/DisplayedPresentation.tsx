import { useDocumentTitle } from '@mantine/hooks';
import { useCallback, useEffect, useMemo, type ReactNode } from 'react';
import type { DisplayedDashboard } from '#contract/dashboards/display.ts';
import { setBranding } from '#shared/branding/branding.ts';
import { setCalendar } from '#shared/region/calendar.ts';
import { setRegion } from '#shared/region/region.ts';
import { LocalLinks } from '../../ui/browser/local-links.ts';
import { parseSearch } from '../../ui/browser/search.ts';
import { followOrganization } from '../../ui/language/language.ts';
import { useAccent } from '../../ui/Theme.tsx';
import { ImageReader } from '../content/ImageReader.tsx';
import { Presentation } from '../present/Presentation.tsx';
import { readDisplayedImage, readDisplayedResults, toWidget } from './read-display.ts';

/** The dashboard of a wall display, as its organization writes and draws it. */
export function DisplayedPresentation({
  token,
  displayed,
  returns,
  everySeconds,
  onFailure,
}: {
  readonly token: string;
  readonly displayed: DisplayedDashboard;
  /** How many times the server was back: results are then requested at once. */
  readonly returns: number;
  readonly everySeconds: number;
  /** Called when results couldn't be read. */
  readonly onFailure: () => void;
}): ReactNode {
  const { name, version, filters = '', organization } = displayed;
  // While rendering, as the frame of other pages does.
  setRegion(organization);
  setCalendar(organization);
  setBranding(organization);
  useAccent(organization.accentColor);
  useDocumentTitle(`${name} · Atrium`);
  useEffect(() => followOrganization(organization.locale), [organization.locale]);
  const dashboard = useMemo(() => ({ ...displayed, widgets: displayed.widgets.map(toWidget) }), [displayed]);
  const values = useMemo(() => parseSearch(filters), [filters]);
  const readResults = useMemo(() => readDisplayedResults(token, onFailure), [token, onFailure]);
  const readImage = useCallback((imageId: string) => readDisplayedImage(token, imageId), [token]);
  return (
    <LocalLinks value={false}>
      <ImageReader value={readImage}>
        <Presentation
          // Charts draw the colors and formats of their first rendering.
          key={JSON.stringify(organization)}
          dashboard={dashboard}
          etag={`${version} ${returns}`}
          values={values}
          calendar={organization}
          logoId={organization.logoId}
          everySeconds={everySeconds}
          readResults={readResults}
        />
      </ImageReader>
    </LocalLinks>
  );
}
