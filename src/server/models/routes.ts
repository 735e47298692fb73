import * as contract from '#contract/models.ts';
import type { Clock } from '../base/clock.ts';
import { pageRequest } from '../base/paging.ts';
import { readExpected, requirePrecondition } from '../http/request/preconditions.ts';
import { etagOf } from '../http/response/entity-tags.ts';
import type { Serve } from '../http/serve.ts';
import type { Database } from '../storage/database.ts';
import { deleteModel, listModels, modelKey, putModel } from './models.ts';

/** Dependencies of the operations on the models of tables. */
export interface ModelRouteDependencies {
  readonly database: Database;
  readonly clock: Clock;
}

export function serveModels(serve: Serve, dependencies: ModelRouteDependencies): void {
  serve(contract.listModels, ({ actor, params, query }) =>
    listModels(dependencies.database, actor, params.dataSourceId, pageRequest(query, modelKey)),
  );
  serve(contract.putModel, async ({ actor, params, headers, body }, reply) => {
    const expected = requirePrecondition(headers);
    const stored = await putModel(dependencies, actor, { ...params, expected, model: body });
    reply.header('etag', etagOf(stored));
    return stored;
  });
  serve(contract.deleteModel, async ({ actor, params, headers, query }) => {
    const table = { schema: query.schema, name: query.table };
    await deleteModel(dependencies, actor, { ...params, expected: readExpected(headers), table });
    return undefined;
  });
}
