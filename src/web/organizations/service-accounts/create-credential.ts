import { call } from '../../app/api.ts';
import type { Created } from '../../tokens/CreatedToken.tsx';
import { readPublicKey } from '../../tokens/public-key.ts';
import type { Wanted } from '../../tokens/TokenForm.tsx';

/** Creates what a service account authenticates with. Throws `PublicKeyFault` for a key that can't be read. */
export async function createCredential(
  params: { readonly orgId: string; readonly userId: string },
  { type, input, publicKey }: Wanted,
): Promise<Created> {
  if (type === 'bearer') {
    return call('POST /api/organizations/{orgId}/service-accounts/{userId}/tokens', { params, body: input });
  }
  const body = type === 'client_secret' ? input : { ...input, publicKey: await readPublicKey(publicKey) };
  return call('POST /api/organizations/{orgId}/service-accounts/{userId}/client-credentials', {
    params,
    body,
  });
}
