import { useQuery } from '@tanstack/react-query';
import { useMatches } from '@tanstack/react-router';
import { lastOrganization } from '../../ui/browser/last-organization.ts';
import { organizationsQuery } from '../../ui/server-data/session.ts';
import type { Place } from '../palette/places.ts';

/**
 * Returns the organization that the page is about: the one in its address, or the one that what it shows belongs to,
 * which the page's loader tells; elsewhere the one that was looked at last. Undefined when there is none.
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
 * Returns the page of the organization that this one is below, as a dashboard is below the dashboards. Undefined where
 * the address itself says it, and for what belongs to no organization.
 */
export const useCurrentPlace = (): Place['to'] | undefined =>
  useMatches({
    select: (matches) => {
      const deepest = matches.at(-1);
      const loaded = deepest?.loaderData as { organizationId?: string | undefined } | undefined;
      return loaded?.organizationId === undefined ? undefined : deepest?.staticData.place;
    },
  });
