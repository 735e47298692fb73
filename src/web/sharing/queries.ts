import { queryOptions } from '@tanstack/react-query';
import { keyOf, readAccess, readPermissions, type SharedRecord } from './shared-records.ts';

/** Your permissions on a record. */
export const permissionsQuery = (record: Pick<SharedRecord, 'kind' | 'id'>) =>
  queryOptions({
    queryKey: [...keyOf(record), 'permissions'],
    queryFn: ({ signal }) => readPermissions(record, signal),
  });

/** The members that a record is shared with. */
export const accessQuery = (record: SharedRecord) =>
  queryOptions({
    queryKey: [...keyOf(record), 'access'],
    queryFn: ({ signal }) => readAccess(record, signal),
  });
