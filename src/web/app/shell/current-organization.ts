import { useQuery } from '@tanstack/react-query';
import { useMatches } from '@tanstack/react-router';
import { lastOrganization } from '../../ui/browser/last-organization.ts';
import { organizationsQuery } from '../../ui/server-data/session.ts';
import type { Place } from '../palette/places.ts';

/**
 * Returns the organization of the page: the one in its URL or from its loader, otherwise the one that was opened last.
 * Undefined if there is none.
 */
export function useCurrentOrganizationId(): string | undefined {
  const ofPage = useMatches({
    select: (matches) => {
      const deepest = matches.at(-1);
      const loaded = deepest?.loaderData as { organizationId?: string | undefined } | undefined;
      return (deepest?.params as { orgId?: string } | undefined)?.orgId ?? loaded?.organizationId;
    },
  });
  const { data: organizations = [] } = useQuery(organizationsQuery);
  if (ofPage !== undefined) return ofPage;
  const last = lastOrganization();
  return organizations.find(({ id }) => id === last)?.id ?? organizations[0]?.id;
}

/**
 * Returns the page of the organization above this one, as the list of dashboards is above a dashboard. Undefined if the URL
 * itself shows it, and for records that belong to no organization.
 */
export const useCurrentPlace = (): Place['to'] | undefined =>
  useMatches({
    select: (matches) => {
      const deepest = matches.at(-1);
      const loaded = deepest?.loaderData as { organizationId?: string | undefined } | undefined;
      return loaded?.organizationId === undefined ? undefined : deepest?.staticData.place;
    },
  });
