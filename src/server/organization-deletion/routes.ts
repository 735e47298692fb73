import * as contract from '#contract/organizations/deletion.ts';
import type { SignInLimits } from '../accounts/sign-in-limits.ts';
import { afterResponse } from '../http/response/after-response.ts';
import type { Serve } from '../http/serve.ts';
import {
  countContents,
  deleteOrganization,
  listDeletedOrganizations,
  restoreByLink,
  restoreOrganization,
  type DeletionDependencies,
} from './deletion.ts';
import { mailDeletion } from './mails.ts';

/** Serves the deletion of organizations. */
export function serveOrganizationDeletion(
  serve: Serve,
  dependencies: DeletionDependencies & { readonly signInLimits: SignInLimits },
): void {
  const { database, clock, mailer } = dependencies;
  serve(contract.countContents, ({ actor, params }) => countContents(database, actor, params.orgId));

  serve(contract.deleteOrganization, async ({ actor, params, body }, reply) => {
    const input = { organizationId: params.orgId, name: body.name };
    const { organization, owners } = await deleteOrganization(dependencies, actor, input);
    afterResponse(reply)(() => mailDeletion(mailer, owners, organization));
    const restoreLink = owners.find(({ userId }) => userId === actor.userId)?.link ?? '';
    return { ...organization, restoreLink, mailed: mailer.isConfigured };
  });

  serve(contract.listDeletedOrganizations, async ({ actor }) => ({
    items: await listDeletedOrganizations(database, clock, actor),
  }));

  serve(contract.restoreOrganization, async ({ actor, params }) => {
    await restoreOrganization(dependencies, actor, params.orgId);
    return undefined;
  });

  serve(contract.restoreByLink, ({ body, client }) => restoreByLink(dependencies, { ...body, ...client }));
}
