import type { FastifyReply } from 'fastify';
import * as contract from '#contract/dashboards/dashboards.ts';
import { createDashboardInFolder } from '#contract/records/folder-items.ts';
import { dashboardSharing } from '#contract/records/sharing.ts';
import { dashboardTrash } from '#contract/records/trash.ts';
import { dashboardVersions } from '#contract/records/versions.ts';
import type { AccessLog } from '../access-log/access-log.ts';
import type { Actor } from '../base/actor.ts';
import type { Clock } from '../base/clock.ts';
import { readExpected, requirePrecondition } from '../http/request/preconditions.ts';
import { etagOf } from '../http/response/entity-tags.ts';
import { JsonText, type Call, type Serve } from '../http/serve.ts';
import type { CreateOnce } from '../idempotency/idempotency.ts';
import { editRecord } from '../records/edit.ts';
import { respondToEdit, serveRecords } from '../records/routes.ts';
import { moveToTrash } from '../records/trash.ts';
import type { Database, Transaction } from '../storage/database.ts';
import { patchedBy, replacedBy, type Draft } from './content/editing.ts';
import { requireDashboard } from './access/access.ts';
import { addDashboard, addDashboardInFolder, duplicateDashboard } from './dashboards.ts';
import { dashboardKind } from './kind.ts';
import type { StoredDashboard } from './store.ts';
import { noteDashboardView } from './views.ts';

export function serveDashboards(
  serve: Serve,
  dependencies: {
    readonly database: Database;
    readonly clock: Clock;
    readonly accessLog: AccessLog;
    readonly createOnce: CreateOnce;
  },
): void {
  const { database, clock, createOnce } = dependencies;
  const create = (
    reply: FastifyReply,
    actor: Actor,
    add: (transaction: Transaction) => Promise<StoredDashboard>,
  ) =>
    createOnce<StoredDashboard, contract.Dashboard>(reply, actor, {
      create: add,
      respond: (dashboard) => toReply(dashboard, reply),
      requireReadable: (reader, id) => requireDashboard(reader, actor, id),
    });
  serve(contract.createDashboard, ({ actor, body }, reply) =>
    create(reply, actor, (transaction) => addDashboard(transaction, clock, actor, body)),
  );
  serve(createDashboardInFolder, ({ actor, params: { folderId }, body }, reply) =>
    create(reply, actor, (transaction) => addDashboardInFolder(transaction, clock, actor, folderId, body)),
  );
  serve(contract.getDashboard, async ({ actor, params }, reply) => {
    const dashboard = await requireDashboard(database, actor, params.dashboardId);
    noteDashboardView(dependencies, actor, dashboard);
    return toReply(dashboard, reply);
  });
  const edit = async (
    {
      actor,
      params,
      headers,
      body,
    }: Call<typeof contract.replaceDashboard | typeof contract.updateDashboard>,
    draft: Draft,
    reply: FastifyReply,
  ) => {
    const input = { id: params.dashboardId, expected: requirePrecondition(headers), body, draft };
    return respondToEdit(await editRecord(dependencies, actor, dashboardKind, input), reply, toReply);
  };
  serve(contract.replaceDashboard, (call, reply) => edit(call, replacedBy(call.body), reply));
  serve(contract.updateDashboard, (call, reply) => edit(call, patchedBy(call.body), reply));
  serve(contract.deleteDashboard, async ({ actor, params, headers }) => {
    const input = { id: params.dashboardId, expected: readExpected(headers) };
    await moveToTrash(dependencies, actor, dashboardKind, input);
    return undefined;
  });
  serve(contract.duplicateDashboard, ({ actor, params, body }, reply) => {
    const input = { ...body, id: params.dashboardId };
    return create(reply, actor, (transaction) => duplicateDashboard(transaction, clock, actor, input));
  });
  serveRecords(
    serve,
    dependencies,
    dashboardKind,
    { versions: dashboardVersions, sharing: dashboardSharing, trash: dashboardTrash },
    toReply,
  );
}

/** Returns the body of a response with a dashboard, with the stored text of its widgets, and sets its `ETag`. */
function toReply(dashboard: StoredDashboard, reply: FastifyReply): JsonText<contract.Dashboard> {
  reply.header('etag', etagOf(dashboard));
  const { id, userId, organizationId, name, description, createdAt, updatedAt, widgetsJson } = dashboard;
  const head = JSON.stringify({ id, userId, organizationId, name, description, createdAt, updatedAt });
  return new JsonText(`${head.slice(0, -1)},"widgets":${widgetsJson}}`);
}
