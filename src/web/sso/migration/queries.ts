import { queryOptions, useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { SsoMigration, SsoMigrationInput } from '#contract/sso/migration.ts';
import { call } from '../../app/api.ts';
import { allPages } from '../../ui/server-data/all-pages.ts';

/** People sign in meanwhile. */
const migrationEveryMs = 20_000;

/** How the people of former providers keep their accounts, with all of these people. */
export const migrationQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['sso', orgId, 'migration'],
    queryFn: async ({ signal }) => {
      const params = { orgId };
      const migration = await call('GET /api/sso/orgs/{orgId}/migration', { params, signal });
      if (migration.totalCount === 0) return { migration, people: [] };
      const people = await allPages((query) =>
        call('GET /api/sso/orgs/{orgId}/migration/people', { params, query, signal }),
      );
      return { migration, people };
    },
    refetchInterval: migrationEveryMs,
  });

/** Accepts or changes the migration. */
export function useMigrationSaving(orgId: string): UseMutationResult<SsoMigration, Error, SsoMigrationInput> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SsoMigrationInput) =>
      call('PUT /api/sso/orgs/{orgId}/migration', { params: { orgId }, body }),
    onSettled: () => client.invalidateQueries(migrationQuery(orgId)),
  });
}

/** Undoes that a person kept the account with this user ID. */
export function useMigrationUndo(orgId: string): UseMutationResult<undefined, Error, string> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (userId: string) =>
      call('POST /api/sso/orgs/{orgId}/migration/people/{userId}/undo', { params: { orgId, userId } }),
    onSettled: () => client.invalidateQueries(migrationQuery(orgId)),
  });
}
