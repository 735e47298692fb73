import { queryOptions } from '@tanstack/react-query';
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
