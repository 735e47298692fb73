import { mayGive } from '#shared/permissions.ts';
import { queryOptions, useQueries } from '@tanstack/react-query';
import type { Role } from '#contract/organizations/organizations.ts';
import type { SsoPolicy, SsoStatus } from '#contract/sso/policy.ts';
import { call, isNotFound } from '../app/api.ts';
import type { StoredDirectory } from './connection/connection.ts';

/** One of the directories of an organization. */
export interface DirectoryKey {
  readonly orgId: string;
  /** Undefined for the first one. */
  readonly connectionId: string | undefined;
}

/** A directory of an organization, as its administrators see it. */
export interface Sso extends DirectoryKey {
  /** Your role: owner or admin. */
  readonly role: Role;
  readonly status: SsoStatus;
  /** Undefined before anything is stored. */
  readonly configuration: StoredDirectory | undefined;
  readonly policy: SsoPolicy;
  /** Whether the organization has other directories. */
  readonly hasOthers: boolean;
}

/** The status also changes through others: people sign in, and DNS is checked. */
const statusEveryMs = 20_000;
const waitingEveryMs = 2_000;

/** Whether only an owner can change the policy, because a mapping grants the owner role. */
export const requiresOwner = ({ role, policy }: Pick<Sso, 'role' | 'policy'>): boolean =>
  !mayGive(role, 'owner') && policy.roleMappings.some((mapping) => mapping.role === 'owner');

const keyOf = ({ orgId, connectionId }: DirectoryKey) =>
  connectionId === undefined ? ['sso', orgId] : ['sso', orgId, 'connections', connectionId];

export const statusQuery = (directory: DirectoryKey) =>
  queryOptions({
    queryKey: [...keyOf(directory), 'status'],
    queryFn: ({ signal }): Promise<SsoStatus> => {
      const { orgId, connectionId } = directory;
      return connectionId === undefined
        ? call('GET /api/sso/orgs/{orgId}/status', { params: { orgId }, signal })
        : call('GET /api/sso/orgs/{orgId}/connections/{connectionId}/status', {
            params: { orgId, connectionId },
            signal,
          });
    },
    refetchInterval: statusEveryMs,
  });

/** What is stored; null when that is nothing. */
export const configurationQuery = (directory: DirectoryKey) =>
  queryOptions({
    queryKey: [...keyOf(directory), 'configuration'],
    queryFn: async ({ signal }): Promise<StoredDirectory | null> => {
      const { orgId, connectionId } = directory;
      if (connectionId !== undefined)
        return call('GET /api/sso/orgs/{orgId}/connections/{connectionId}', {
          params: { orgId, connectionId },
          signal,
        });
      try {
        return await call('GET /api/sso/orgs/{orgId}/config', { params: { orgId }, signal });
      } catch (error) {
        if (isNotFound(error)) return null;
        throw error;
      }
    },
  });

export const policyQuery = (directory: DirectoryKey) =>
  queryOptions({
    queryKey: [...keyOf(directory), 'policy'],
    queryFn: async ({ signal }): Promise<SsoPolicy> => {
      const { orgId, connectionId } = directory;
      const first = call('GET /api/sso/orgs/{orgId}/policy', { params: { orgId }, signal });
      if (connectionId === undefined) return first;
      const own = call('GET /api/sso/orgs/{orgId}/connections/{connectionId}/policy', {
        params: { orgId, connectionId },
        signal,
      });
      const [{ requireSso }, ofDirectory] = await Promise.all([first, own]);
      return { ...ofDirectory, requireSso };
    },
  });

/** All directories of an organization, the first one first. There are at most 20. */
export const connectionsQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['sso', orgId, 'connections'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/sso/orgs/{orgId}/connections', { params: { orgId }, signal })).items,
  });

/** A test sign-in, polled until the browser has come back from the directory. */
export const testQuery = (orgId: string, testId: string) =>
  queryOptions({
    queryKey: ['sso', orgId, 'tests', testId],
    queryFn: ({ signal }) =>
      call('GET /api/sso/orgs/{orgId}/config/test/{testId}', { params: { orgId, testId }, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? waitingEveryMs : false),
  });

/** Returns everything once it has loaded, or the first error. */
export function useSso(
  directory: DirectoryKey,
  role: Role,
): { readonly sso: Sso | undefined; readonly error: Error | null; readonly retry: () => void } {
  const [status, configuration, policy, connections] = useQueries({
    queries: [
      statusQuery(directory),
      configurationQuery(directory),
      policyQuery(directory),
      connectionsQuery(directory.orgId),
    ],
  });
  const all = [status, configuration, policy, connections];
  const stored = configuration.data ?? undefined;
  return {
    sso:
      status.data === undefined ||
      configuration.data === undefined ||
      policy.data === undefined ||
      connections.data === undefined
        ? undefined
        : {
            ...directory,
            role,
            status: status.data,
            configuration: stored,
            policy: policy.data,
            hasOthers: connections.data.some(({ id }) => id !== stored?.id),
          },
    // An error while refreshing doesn't hide earlier data.
    error: all.find(({ data, error }) => data === undefined && error !== null)?.error ?? null,
    retry: () => void Promise.all(all.map((query) => query.refetch())),
  };
}
