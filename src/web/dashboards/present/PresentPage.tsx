import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, type ReactNode } from 'react';
import { defaultBranding, setBranding } from '#shared/branding/branding.ts';
import { defaultCalendar, setCalendar } from '#shared/region/calendar.ts';
import { defaultRegion, setRegion } from '#shared/region/region.ts';
import { paths } from '../../app/paths.ts';
import { useOrganization } from '../../ui/server-data/session.ts';
import { useAccent } from '../../ui/Theme.tsx';
import { useCalendar } from '../filters/use-calendar.ts';
import { dashboardQuery } from '../queries.ts';
import { filtersOf } from '../view/search.ts';
import { Presentation } from './Presentation.tsx';
import { secondsOf } from './search.ts';

/** How often the dashboard itself is read again, to show its newest version. */
const checkEveryMs = 30_000;

/** A dashboard as a presentation, for people who are signed in. */
export function PresentPage(): ReactNode {
  const { dashboardId } = useParams({ from: paths.present });
  const search = useSearch({ from: paths.present });
  const navigate = useNavigate();
  const query = dashboardQuery(dashboardId);
  const { data } = useSuspenseQuery(query);
  useQuery({ ...query, refetchInterval: checkEveryMs, refetchIntervalInBackground: true });
  const organization = useOrganization(data.dashboard.organizationId);
  // While rendering, as the frame of other pages does.
  setRegion(organization ?? defaultRegion);
  setCalendar(organization ?? defaultCalendar);
  setBranding(organization ?? defaultBranding);
  useAccent(organization?.accentColor ?? defaultBranding.accentColor);
  const calendar = useCalendar(data.dashboard.organizationId);
  const values = useMemo(() => filtersOf(search), [search]);
  const end = useCallback(() => {
    if (document.fullscreenElement !== null) void document.exitFullscreen().catch(() => {});
    void navigate({ to: paths.dashboard, params: { dashboardId }, search: values });
  }, [navigate, dashboardId, values]);
  return (
    <Presentation
      {...data}
      values={values}
      calendar={calendar}
      logoId={organization?.logoId}
      everySeconds={secondsOf(search)}
      onEnd={end}
    />
  );
}
