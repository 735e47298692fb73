import { mayGive } from '#shared/permissions.ts';
import { queryOptions, useQueries } from '@tanstack/react-query';
import type { Role } from '#contract/organizations/organizations.ts';
import type { SsoConfiguration } from '#contract/sso/configuration.ts';
import type { SsoPolicy, SsoStatus } from '#contract/sso/policy.ts';
import { ApiProblem, call } from '../app/api.ts';

/** The single sign-on of an organization, as its administrators see it. */
export interface Sso {
  readonly orgId: string;
  /** Your role: owner or admin. */
  readonly role: Role;
  readonly status: SsoStatus;
  /** Undefined before anything is stored. */
  readonly configuration: SsoConfiguration | undefined;
  readonly policy: SsoPolicy;
}

/** The status also changes through others: people sign in, and DNS is checked. */
const statusEveryMs = 20_000;
const waitingEveryMs = 2_000;

/** Whether only an owner can change the policy, because a mapping grants the owner role. */
export const requiresOwner = ({ role, policy }: Pick<Sso, 'role' | 'policy'>): boolean =>
  !mayGive(role, 'owner') && policy.roleMappings.some((mapping) => mapping.role === 'owner');

export const statusQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['sso', orgId, 'status'],
    queryFn: ({ signal }) => call('GET /api/sso/orgs/{orgId}/status', { params: { orgId }, signal }),
    refetchInterval: statusEveryMs,
  });

/** The stored configuration; null when there is none. */
export const configurationQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['sso', orgId, 'configuration'],
    queryFn: async ({ signal }): Promise<SsoConfiguration | null> => {
      try {
        return await call('GET /api/sso/orgs/{orgId}/config', { params: { orgId }, signal });
      } catch (error) {
        if (error instanceof ApiProblem && error.code === 'not_found') return null;
        throw error;
      }
    },
  });

export const policyQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['sso', orgId, 'policy'],
    queryFn: ({ signal }) => call('GET /api/sso/orgs/{orgId}/policy', { params: { orgId }, signal }),
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
  orgId: string,
  role: Role,
): { readonly sso: Sso | undefined; readonly error: Error | null; readonly retry: () => void } {
  const [status, configuration, policy] = useQueries({
    queries: [statusQuery(orgId), configurationQuery(orgId), policyQuery(orgId)],
  });
  const all = [status, configuration, policy];
  return {
    sso:
      status.data === undefined || configuration.data === undefined || policy.data === undefined
        ? undefined
        : {
            orgId,
            role,
            status: status.data,
            configuration: configuration.data ?? undefined,
            policy: policy.data,
          },
    // An error while refreshing doesn't hide earlier data.
    error: all.find(({ data, error }) => data === undefined && error !== null)?.error ?? null,
    retry: () => void Promise.all(all.map((query) => query.refetch())),
  };
}
