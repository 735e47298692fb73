import { queryOptions } from '@tanstack/react-query';
import { call } from '../app/api.ts';
import { keyOf, readAccess, readExplanation, readPermissions, type SharedRecord } from './shared-records.ts';

/** Your permissions on a record. */
export const permissionsQuery = (record: Pick<SharedRecord, 'kind' | 'id'>) =>
  queryOptions({
    queryKey: [...keyOf(record), 'permissions'],
    queryFn: ({ signal }) => readPermissions(record, signal),
  });

/** The members and groups that a record is shared with. */
export const accessQuery = (record: SharedRecord) =>
  queryOptions({
    queryKey: [...keyOf(record), 'access'],
    queryFn: ({ signal }) => readAccess(record, signal),
  });

/** Why a member has access to a record. It changes with everything else that is known about the record. */
export const explanationQuery = (record: SharedRecord, userId: string) =>
  queryOptions({
    queryKey: [...keyOf(record), 'access', userId],
    queryFn: ({ signal }) => readExplanation(record, userId, signal),
  });

/** The directory groups of an organization that contain a text, at most 50. */
export const groupsQuery = (orgId: string, search: string) =>
  queryOptions({
    queryKey: ['groups', orgId, search],
    queryFn: ({ signal }) =>
      call('GET /api/organizations/{orgId}/groups', {
        params: { orgId },
        query: search === '' ? {} : { q: search },
        signal,
      }),
    placeholderData: (previous) => previous,
  });
