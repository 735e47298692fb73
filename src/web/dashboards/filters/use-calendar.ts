import { useMemo } from 'react';
import type { Calendar } from '#shared/dates/days.ts';
import { defaultTimeZone } from '#shared/dates/time-zones.ts';
import { useOrganization } from '../../ui/server-data/session.ts';

/** Returns the time zone and the week start of an organization. The server uses the same ones for relative dates. */
export function useCalendar(organizationId: string | undefined): Omit<Calendar, 'now'> {
  const { timeZone = defaultTimeZone, weekStart = 'monday' } = useOrganization(organizationId) ?? {};
  return useMemo(() => ({ timeZone, weekStart }), [timeZone, weekStart]);
}
