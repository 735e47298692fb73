import type { Token } from '#contract/credentials/tokens.ts';
import type { Organization } from '#contract/organizations/organizations.ts';
import { may } from '#shared/permissions.ts';
import { call } from '../app/api.ts';

/** Returns the property of a list of tokens by which owners confirm those that a restore has suspended; for others, none. */
export const confirming = ({
  id: orgId,
  role,
}: Pick<Organization, 'id' | 'role'>): { readonly confirm?: (token: Token) => Promise<unknown> } =>
  may(role, 'owner.manage')
    ? {
        confirm: ({ id: tokenId }) =>
          call('POST /api/organizations/{orgId}/tokens/{tokenId}/confirm', { params: { orgId, tokenId } }),
      }
    : {};
