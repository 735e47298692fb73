import type { FastifyReply } from 'fastify';
import * as history from '#contract/dashboards/history.ts';
import * as contract from '#contract/dashboards/dashboards.ts';
import type { Actor } from '../base/actor.ts';
import type { Clock } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { pageRequest } from '../base/paging.ts';
import { versionKey } from '../records/history.ts';
import { etagOf } from '../http/response/entity-tags.ts';
import { readExpected, requirePrecondition } from '../http/request/preconditions.ts';
import { JsonText, type Serve } from '../http/serve.ts';
import type { CreateOnce } from '../idempotency/idempotency.ts';
import type { Database, Transaction } from '../storage/database.ts';
import { replaceDashboard, updateDashboard, type EditOutcome } from './content/editing.ts';
import {
  compareDashboardVersions,
  getDashboardVersion,
  listDashboardVersions,
  restoreDashboardVersion,
} from './history/history.ts';
import type { StoredDashboard } from './store.ts';
import { addDashboard, deleteDashboard, duplicateDashboard, getDashboard } from './dashboards.ts';

export function serveDashboards(
  serve: Serve,
  {
    database,
    clock,
    createOnce,
  }: { readonly database: Database; readonly clock: Clock; readonly createOnce: CreateOnce },
): void {
  const create = (
    reply: FastifyReply,
    actor: Actor,
    add: (transaction: Transaction) => Promise<StoredDashboard>,
  ) =>
    createOnce<StoredDashboard, contract.Dashboard>(reply, actor, {
      create: add,
      respond: (dashboard) => toReply(dashboard, reply),
      requireReadable: (reader, id) => getDashboard(reader, actor, id),
    });
  serve(contract.createDashboard, ({ actor, body }, reply) =>
    create(reply, actor, (transaction) => addDashboard(transaction, clock, actor, body)),
  );
  serve(contract.getDashboard, async ({ actor, params }, reply) =>
    toReply(await getDashboard(database, actor, params.dashboardId), reply),
  );
  serve(contract.replaceDashboard, async ({ actor, params, headers, body }, reply) => {
    const input = { id: params.dashboardId, expected: requirePrecondition(headers), edit: body };
    return toEditReply(await replaceDashboard(database, clock, actor, input), reply);
  });
  serve(contract.updateDashboard, async ({ actor, params, headers, body }, reply) => {
    const input = { id: params.dashboardId, expected: requirePrecondition(headers), patch: body };
    return toEditReply(await updateDashboard(database, clock, actor, input), reply);
  });
  serve(contract.deleteDashboard, async ({ actor, params, headers }) => {
    await deleteDashboard(database, clock, actor, {
      id: params.dashboardId,
      expected: readExpected(headers),
    });
    return undefined;
  });
  serve(contract.duplicateDashboard, ({ actor, params, body }, reply) => {
    const input = { ...body, id: params.dashboardId };
    return create(reply, actor, (transaction) => duplicateDashboard(transaction, clock, actor, input));
  });
  serve(history.listDashboardVersions, ({ actor, params, query }) =>
    listDashboardVersions(database, actor, params.dashboardId, pageRequest(query, versionKey)),
  );
  serve(history.getDashboardVersion, ({ actor, params }) =>
    getDashboardVersion(database, actor, params.dashboardId, Number(params.version)),
  );
  serve(history.restoreDashboardVersion, async ({ actor, params, headers }, reply) => {
    const version = Number(params.version);
    const input = { id: params.dashboardId, version, expected: readExpected(headers) };
    return toReply(await restoreDashboardVersion(database, clock, actor, input), reply);
  });
  serve(history.compareDashboardVersions, async ({ actor, params, query }) => {
    const to = query.to === undefined ? undefined : Number(query.to);
    const versions = { from: Number(query.from), to };
    return { changes: await compareDashboardVersions(database, actor, params.dashboardId, versions) };
  });
}

function toEditReply(outcome: EditOutcome, reply: FastifyReply): JsonText<contract.Dashboard> {
  const { dashboard } = outcome;
  if (outcome.kind === 'stored') {
    if (outcome.isMerged) reply.header('atrium-merged', 'true');
    return toReply(dashboard, reply);
  }
  const { merged, conflicts } = outcome;
  const { text } = toReply(dashboard, reply);
  const extension = { etag: etagOf(dashboard), current: parseJson(text), merged, conflicts };
  throw new AtriumError('edit_conflict', describe(conflicts), { extension });
}

const describe = ({ length }: readonly unknown[]): string =>
  `Since the version that you have changed, others have saved; ${length === 1 ? 'one change' : `${length} changes`} of ` +
  'yours cannot be merged with theirs. Nothing of yours is stored yet.';

/** Puts the stored text of the widgets into the record, and its version on `reply` as its ETag. */
export function toReply(dashboard: StoredDashboard, reply: FastifyReply): JsonText<contract.Dashboard> {
  reply.header('etag', etagOf(dashboard));
  const { summary, widgetsJson } = dashboard;
  return new JsonText(`${JSON.stringify(summary).slice(0, -1)},"widgets":${widgetsJson}}`);
}
