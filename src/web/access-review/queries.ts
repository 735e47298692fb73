import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from '../app/api.ts';
import type { ReviewSearch } from './search.ts';

/** Of all reviews of access. */
export const reviewKey = ['access-review'] as const;

/** Who may do what in an organization, and why. For owners and admins. */
export const reviewQuery = (orgId: string, search: ReviewSearch) =>
  infiniteQueryOptions({
    queryKey: [...reviewKey, orgId, search],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/organizations/{orgId}/access-review', {
        params: { orgId },
        query: { ...search, limit: '100', ...(pageParam !== undefined && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    // Access changes on many pages.
    staleTime: 0,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
