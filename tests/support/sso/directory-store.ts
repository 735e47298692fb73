import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

/** Returns the storage of a provider's sessions, grants and codes, in memory. */
export function directoryStore(): AdapterFactory {
  const kept = new Map<string, AdapterPayload>();
  const all = (kind: string) => [...kept].filter(([key]) => key.startsWith(`${kind}:`));

  return (kind): Adapter => ({
    upsert: async (id, payload) => void kept.set(`${kind}:${id}`, payload),
    find: async (id) => kept.get(`${kind}:${id}`),
    findByUid: async (uid) => all(kind).find(([, payload]) => payload.uid === uid)?.[1],
    findByUserCode: async (userCode) => all(kind).find(([, payload]) => payload.userCode === userCode)?.[1],
    consume: async (id) => {
      const payload = kept.get(`${kind}:${id}`);
      if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
    },
    destroy: async (id) => void kept.delete(`${kind}:${id}`),
    revokeByGrantId: async (grantId) => {
      for (const [key, payload] of kept) if (payload.grantId === grantId) kept.delete(key);
    },
  });
}
