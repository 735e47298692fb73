import { queryOptions } from '@tanstack/react-query';
import type { Session } from '#contract/accounts/sessions.ts';
import { call } from '../../app/api.ts';
import { allPages } from '../../ui/server-data/all-pages.ts';

/** Your second factors. */
export const secondFactorsQuery = queryOptions({
  queryKey: ['second-factors'],
  queryFn: ({ signal }) => call('GET /api/auth/second-factors', { signal }),
});

/** What deleting your account would do. */
export const accountDeletionQuery = queryOptions({
  queryKey: ['account', 'deletion'],
  queryFn: ({ signal }) => call('GET /api/auth/delete-account', { signal }),
});

/** All your open sessions. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }): Promise<readonly Session[]> =>
    allPages((query) => call('GET /api/auth/list-sessions', { query, signal })),
});
