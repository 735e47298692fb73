import * as contract from '#contract/organizations/webhooks.ts';
import { pageRequest } from '../base/paging.ts';
import type { Serve } from '../http/serve.ts';
import type { CreateOnce } from '../idempotency/idempotency.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  retryDelivery,
  rotateSecret,
  sendTest,
  type WebhookDependencies,
} from './webhooks.ts';

/** Serves the webhooks of organizations, and what was sent to them. */
export function serveWebhooks(
  serve: Serve,
  dependencies: WebhookDependencies & { readonly createOnce: CreateOnce },
): void {
  const { clock, createOnce } = dependencies;
  const keyOf = ({ orgId, webhookId }: { orgId: string; webhookId: string }) => ({
    organizationId: orgId,
    id: webhookId,
  });
  serve(contract.listWebhooks, async ({ actor, params }) => ({
    items: await listWebhooks(dependencies, actor, params.orgId),
  }));
  serve(contract.createWebhook, ({ actor, params: { orgId: organizationId }, body }, reply) =>
    createOnce<contract.NewWebhook, contract.NewWebhook>(reply, actor, {
      create: (transaction) => createWebhook(transaction, dependencies, actor, organizationId, body),
      respond: (webhook) => webhook,
      requireReadable: (reader, id) => getWebhook(reader, clock, actor, { organizationId, id }),
      hasSecret: true,
    }),
  );
  serve(contract.changeWebhook, ({ actor, params, body }) =>
    changeWebhook(dependencies, actor, keyOf(params), body),
  );
  serve(contract.deleteWebhook, async ({ actor, params }) => {
    await deleteWebhook(dependencies, actor, keyOf(params));
    return undefined;
  });
  serve(contract.rotateWebhookSecret, ({ actor, params }) =>
    rotateSecret(dependencies, actor, keyOf(params)),
  );
  serve(contract.testWebhook, ({ actor, params }) => sendTest(dependencies, actor, keyOf(params)));
  serve(contract.listDeliveries, ({ actor, params, query }) =>
    listDeliveries(dependencies, actor, keyOf(params), pageRequest(query)),
  );
  serve(contract.retryDelivery, ({ actor, params }) =>
    retryDelivery(dependencies, actor, { ...keyOf(params), deliveryId: params.deliveryId }),
  );
}
