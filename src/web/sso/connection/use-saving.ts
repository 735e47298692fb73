import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { SsoConfiguration, SsoConfigurationInput } from '#contract/sso/configuration.ts';
import type { SsoPolicy } from '#contract/sso/policy.ts';
import { call } from '../../app/api.ts';
import { configurationQuery, policyQuery } from '../queries.ts';

/** A configuration to store, and then the policy, if it changes too. */
export interface Saved {
  readonly body: SsoConfigurationInput;
  readonly policy?: SsoPolicy | undefined;
}

/** Stores a configuration. Calls `onSaved` even if the component has been removed from the page by then. */
export function useSaving(
  orgId: string,
  onSaved?: () => void,
): UseMutationResult<SsoConfiguration, Error, Saved> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, policy }: Saved) => {
      const stored = await call('POST /api/sso/orgs/{orgId}/config', { params: { orgId }, body });
      client.setQueryData(configurationQuery(orgId).queryKey, stored);
      if (policy !== undefined) {
        await call('PUT /api/sso/orgs/{orgId}/policy', { params: { orgId }, body: policy });
      }
      return stored;
    },
    onSuccess: () => onSaved?.(),
    onSettled: () => client.invalidateQueries({ queryKey: ['sso', orgId] }),
  });
}

/** Deletes the configuration. */
export function useDeletion(orgId: string): UseMutationResult<undefined, Error, void> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('DELETE /api/sso/orgs/{orgId}/config', { params: { orgId } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['sso', orgId] }),
  });
}

/** Stores the policy. */
export function usePolicySaving(orgId: string): UseMutationResult<SsoPolicy, Error, SsoPolicy> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SsoPolicy) => call('PUT /api/sso/orgs/{orgId}/policy', { params: { orgId }, body }),
    onSuccess: (stored) => client.setQueryData(policyQuery(orgId).queryKey, stored),
    onSettled: () => client.invalidateQueries({ queryKey: ['sso', orgId] }),
  });
}

/** Starts a test sign-in. `onStart` must send the browser to its URL. */
export function useTestStart(
  orgId: string,
  onStart: (test: { id: string; url: string }) => void,
): UseMutationResult<{ id: string; url: string }, Error, void> {
  return useMutation({
    mutationFn: () => call('POST /api/sso/orgs/{orgId}/config/test', { params: { orgId } }),
    onSuccess: onStart,
  });
}
