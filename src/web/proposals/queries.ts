import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Proposal } from '#contract/proposals.ts';
import { call } from '../app/api.ts';

/** The proposals with a status that you have made or may decide, the newest first. */
export const proposalsQuery = (orgId: string, status: Proposal['status']) =>
  infiniteQueryOptions({
    queryKey: ['proposals', orgId, 'list', status],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/organizations/{orgId}/proposals', {
        params: { orgId },
        query: { status, ...(pageParam !== undefined && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    staleTime: 0,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** A proposal with its content. */
export const proposalQuery = (orgId: string, proposalId: string) =>
  queryOptions({
    queryKey: ['proposals', orgId, proposalId],
    queryFn: ({ signal }) =>
      call('GET /api/organizations/{orgId}/proposals/{proposalId}', {
        params: { orgId, proposalId },
        signal,
      }),
    staleTime: 0,
  });

/** What accepting a proposal would store now. */
export const reviewQuery = (orgId: string, proposalId: string) =>
  queryOptions({
    queryKey: ['proposals', orgId, proposalId, 'review'],
    queryFn: ({ signal }) =>
      call('GET /api/organizations/{orgId}/proposals/{proposalId}/review', {
        params: { orgId, proposalId },
        signal,
      }),
    staleTime: 0,
  });
