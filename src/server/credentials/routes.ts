import { createClientCredential as createClientCredentialRoute } from '#contract/credentials/clients.ts';
import * as authorizationContract from '#contract/credentials/authorizations.ts';
import * as deviceContract from '#contract/credentials/device.ts';
import * as accountContract from '#contract/credentials/service-accounts.ts';
import * as contract from '#contract/credentials/tokens.ts';
import { pageRequest } from '../base/paging.ts';
import type { Serve } from '../http/serve.ts';
import type { CreateOnce } from '../idempotency/idempotency.ts';
import { requirePermission } from '../organizations/authorization.ts';
import { createClientCredential } from './clients.ts';
import { decideAuthorization, readAuthorization } from './oauth/authorization/codes.ts';
import {
  approveDeviceRequest,
  createCodeLimit,
  denyDeviceRequest,
  readDeviceRequest,
} from './oauth/authorization/device.ts';
import { getTokenPolicy, putTokenPolicy } from './policy.ts';
import {
  createServiceAccount,
  createServiceAccountToken,
  getServiceAccount,
  listServiceAccounts,
  renameServiceAccount,
} from './service-accounts.ts';
import {
  confirmAllOrganizationTokens,
  confirmOrganizationToken,
  confirmPersonalToken,
} from './suspension.ts';
import {
  createPersonalToken,
  listOrganizationTokens,
  listTokens,
  revokeOrganizationToken,
  revokeToken,
  type CredentialDependencies,
} from './tokens.ts';

/** Serves personal tokens, service accounts and their tokens. */
export function serveCredentials(
  serve: Serve,
  dependencies: CredentialDependencies & { readonly publicUrl: string; readonly createOnce: CreateOnce },
): void {
  const { database, clock, createOnce } = dependencies;
  serve(contract.listTokens, ({ actor, query }) => listTokens(dependencies, actor, pageRequest(query)));
  serve(contract.createToken, ({ actor, body }) => createPersonalToken(dependencies, actor, body));
  serve(contract.revokeToken, async ({ actor, params }) => {
    await revokeToken(dependencies, actor, params.tokenId);
    return undefined;
  });
  serve(contract.listOrganizationTokens, ({ actor, params, query }) =>
    listOrganizationTokens(
      dependencies,
      actor,
      { organizationId: params.orgId, userId: query['user-id'] },
      pageRequest(query),
    ),
  );
  serve(contract.revokeOrganizationToken, async ({ actor, params }) => {
    await revokeOrganizationToken(dependencies, actor, {
      organizationId: params.orgId,
      tokenId: params.tokenId,
    });
    return undefined;
  });
  serve(contract.confirmOrganizationToken, async ({ actor, params }) => {
    await confirmOrganizationToken(dependencies, actor, {
      organizationId: params.orgId,
      tokenId: params.tokenId,
    });
    return undefined;
  });
  serve(contract.confirmAllOrganizationTokens, async ({ actor, params }) => ({
    confirmed: await confirmAllOrganizationTokens(dependencies, actor, params.orgId),
  }));
  serve(contract.confirmToken, async ({ actor, params }) => {
    await confirmPersonalToken(dependencies, actor, params.tokenId);
    return undefined;
  });
  serve(contract.getTokenPolicy, ({ actor, params }) => getTokenPolicy(database, actor, params.orgId));
  serve(contract.putTokenPolicy, ({ actor, params, body }) =>
    putTokenPolicy(dependencies, actor, params.orgId, body),
  );

  serve(accountContract.listServiceAccounts, ({ actor, params, query }) =>
    listServiceAccounts(database, actor, params.orgId, pageRequest(query)),
  );
  serve(accountContract.createServiceAccount, ({ actor, params: { orgId }, body }, reply) =>
    createOnce<accountContract.ServiceAccount, accountContract.ServiceAccount>(reply, actor, {
      create: (transaction) => createServiceAccount(transaction, clock, actor, orgId, body),
      respond: (account) => account,
      requireReadable: async (reader, id) => {
        await requirePermission(reader, actor, orgId, 'member.manage');
        return getServiceAccount(reader, orgId, id);
      },
    }),
  );
  serve(accountContract.renameServiceAccount, ({ actor, params, body }) =>
    renameServiceAccount(
      dependencies,
      actor,
      { organizationId: params.orgId, userId: params.userId },
      body.name,
    ),
  );
  const device = { ...dependencies, triedCodes: createCodeLimit() };
  serve(authorizationContract.readAuthorization, ({ body }) => readAuthorization(dependencies, body));
  serve(authorizationContract.decideAuthorization, async ({ actor, body, client }) => ({
    redirectTo: await decideAuthorization(dependencies, actor, body, client.address),
  }));
  serve(deviceContract.readDeviceRequest, ({ actor, body }) =>
    readDeviceRequest(device, actor, body.userCode),
  );
  serve(deviceContract.approveDeviceRequest, async ({ actor, body }) => {
    await approveDeviceRequest(device, actor, body);
    return undefined;
  });
  serve(deviceContract.denyDeviceRequest, async ({ actor, body }) => {
    await denyDeviceRequest(device, actor, body.userCode);
    return undefined;
  });
  serve(createClientCredentialRoute, ({ actor, params, body }) =>
    createClientCredential(
      dependencies,
      actor,
      { organizationId: params.orgId, userId: params.userId },
      body,
    ),
  );
  serve(accountContract.createServiceAccountToken, ({ actor, params, body }) =>
    createServiceAccountToken(
      dependencies,
      actor,
      { organizationId: params.orgId, userId: params.userId },
      body,
    ),
  );
}
