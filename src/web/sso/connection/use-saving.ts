import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { ConnectionPolicy } from '#contract/sso/connections.ts';
import type { SsoPolicy } from '#contract/sso/policy.ts';
import { call } from '../../app/api.ts';
import { configurationQuery, policyQuery, type DirectoryKey } from '../queries.ts';
import type { DirectoryBody, StoredDirectory } from './connection.ts';

/** A configuration to store, and then the policy, if it changes too. */
export interface Saved {
  readonly body: DirectoryBody;
  readonly policy?: SsoPolicy | undefined;
}

/** Stores what is configured for a directory. Calls `onSaved` even if the component has been removed from the page by then. */
export function useSaving(
  directory: DirectoryKey,
  onSaved?: () => void,
): UseMutationResult<StoredDirectory, Error, Saved> {
  const client = useQueryClient();
  const { orgId } = directory;
  return useMutation({
    mutationFn: async ({ body, policy }: Saved) => {
      const stored = await store(directory, body);
      client.setQueryData(configurationQuery(directory).queryKey, stored);
      if (policy !== undefined) await storePolicy(directory, policy);
      return stored;
    },
    onSuccess: () => onSaved?.(),
    onSettled: () => client.invalidateQueries({ queryKey: ['sso', orgId] }),
  });
}

function store({ orgId, connectionId }: DirectoryKey, body: DirectoryBody): Promise<StoredDirectory> {
  if (connectionId !== undefined && body.provider !== 'idp_ad')
    return call('PUT /api/sso/orgs/{orgId}/connections/{connectionId}', {
      params: { orgId, connectionId },
      body,
    });
  if (body.provider !== 'idp_ad') throw new TypeError('The first directory has no other provider.');
  return call('POST /api/sso/orgs/{orgId}/config', { params: { orgId }, body });
}

/** Whether single sign-on is required is stored with the first directory, for all of them. */
async function storePolicy(
  { orgId, connectionId }: DirectoryKey,
  { requireSso, ...ofDirectory }: SsoPolicy,
): Promise<SsoPolicy> {
  if (connectionId === undefined)
    return call('PUT /api/sso/orgs/{orgId}/policy', {
      params: { orgId },
      body: { ...ofDirectory, requireSso },
    });
  const stored: ConnectionPolicy = await call('PUT /api/sso/orgs/{orgId}/connections/{connectionId}/policy', {
    params: { orgId, connectionId },
    body: ofDirectory,
  });
  return { ...stored, requireSso };
}

/** Deletes what is configured for a directory. */
export function useDeletion({
  orgId,
  connectionId,
}: DirectoryKey): UseMutationResult<undefined, Error, void> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      connectionId === undefined
        ? call('DELETE /api/sso/orgs/{orgId}/config', { params: { orgId } })
        : call('DELETE /api/sso/orgs/{orgId}/connections/{connectionId}', {
            params: { orgId, connectionId },
          }),
    onSettled: () => client.invalidateQueries({ queryKey: ['sso', orgId] }),
  });
}

/** Stores the policy. */
export function usePolicySaving(directory: DirectoryKey): UseMutationResult<SsoPolicy, Error, SsoPolicy> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (policy: SsoPolicy) => storePolicy(directory, policy),
    onSuccess: (stored) => client.setQueryData(policyQuery(directory).queryKey, stored),
    onSettled: () => client.invalidateQueries({ queryKey: ['sso', directory.orgId] }),
  });
}

/** Starts a test sign-in. `onStart` must send the browser to its URL. */
export function useTestStart(
  { orgId, connectionId }: DirectoryKey,
  onStart: (test: { id: string; url: string }) => void,
): UseMutationResult<{ id: string; url: string }, Error, void> {
  return useMutation({
    mutationFn: () =>
      connectionId === undefined
        ? call('POST /api/sso/orgs/{orgId}/config/test', { params: { orgId } })
        : call('POST /api/sso/orgs/{orgId}/connections/{connectionId}/test', {
            params: { orgId, connectionId },
          }),
    onSuccess: onStart,
  });
}
