import { rm } from 'node:fs/promises';
import * as contract from '#contract/data-sources.ts';
import { pageRequest } from '../base/paging.ts';
import { afterResponse } from '../http/response/after-response.ts';
import { clientSignal } from '../http/request/client-signal.ts';
import { JsonText, type Serve } from '../http/serve.ts';
import type { CreateOnce } from '../idempotency/idempotency.ts';
import type { FindAddresses } from '../outgoing/checked-addresses.ts';
import type { QueryEngine } from '../engine/query-engine.ts';
import type { QueryRows } from '../engine/worker/messages.ts';
import {
  createDataSource,
  deleteDataSource,
  getDataSource,
  listDataSources,
  replaceDataSource,
  type DataSourceNeeds,
  type FindSourceUses,
} from './data-sources.ts';
import { createTestLimit, listSourceTables, previewSourceTable, testDataSource } from './browsing.ts';
import { sourceDirectory, type SourceFiles } from './tables/files.ts';
import { uploadTable } from './tables/upload.ts';
import type { UploadLimits } from './tables/upload-quota.ts';
import { deleteTable } from './tables/uploaded.ts';

/** What data sources, their tables and uploads take. */
export interface DataSourceRouteNeeds extends DataSourceNeeds, UploadLimits {
  readonly engine: QueryEngine;
  readonly files: SourceFiles;
  readonly findAddresses: FindAddresses;
  readonly findUses: FindSourceUses;
  readonly createOnce: CreateOnce;
}

export function serveDataSources(serve: Serve, needs: DataSourceRouteNeeds): void {
  const { database, files, createOnce } = needs;
  serve(contract.createDataSource, ({ actor, params, body }, reply) =>
    createOnce<contract.DataSource, contract.DataSource>(reply, actor, {
      create: (transaction) =>
        createDataSource(transaction, needs, actor, { ...body, organizationId: params.orgId }),
      respond: (source) => source,
      requireReadable: (reader, id) => getDataSource(reader, actor, id),
    }),
  );
  serve(contract.listDataSources, ({ actor, params, query }) =>
    listDataSources(database, actor, params.orgId, pageRequest(query)),
  );
  serve(contract.getDataSource, ({ actor, params }) => getDataSource(database, actor, params.dataSourceId));
  serve(contract.replaceDataSource, ({ actor, params, body }) =>
    replaceDataSource(needs, actor, { ...body, id: params.dataSourceId }),
  );
  serve(contract.deleteDataSource, async ({ actor, params }, reply) => {
    const { organizationId, id } = await deleteDataSource(needs, actor, params.dataSourceId);
    const directory = sourceDirectory(files.directory, organizationId, id);
    afterResponse(reply)(() => rm(directory, { recursive: true, force: true }));
    return undefined;
  });
  serveTables(serve, needs);
}

function serveTables(serve: Serve, needs: DataSourceRouteNeeds): void {
  const browsing = { ...needs, directory: needs.files.directory, limitTests: createTestLimit() };
  serve(contract.testDataSource, ({ actor, params }, reply) =>
    testDataSource(browsing, actor, params.dataSourceId, clientSignal(reply)),
  );
  serve(contract.listSourceTables, async ({ actor, params }, reply) => ({
    tables: await listSourceTables(browsing, actor, params.dataSourceId, clientSignal(reply)),
  }));
  serve(contract.previewSourceTable, async ({ actor, params, query }, reply) => {
    const input = { id: params.dataSourceId, table: params.table, schema: query.schema };
    return toRowsText(await previewSourceTable(browsing, actor, input, clientSignal(reply)));
  });
  serve(contract.uploadTable, ({ actor, params, body }) => uploadTable(needs, actor, { ...params, ...body }));
  serve(contract.deleteTable, async ({ actor, params }) => {
    await deleteTable(needs, actor, params);
    return undefined;
  });
}

/** The rows are JSON as they come from the source. */
function toRowsText({ columns, rowsJson, rowCount, isCutOff }: QueryRows): JsonText<contract.Rows> {
  const rows = Buffer.from(rowsJson).toString('utf8');
  return new JsonText(
    `{"columns":${JSON.stringify(columns)},"rows":${rows},${JSON.stringify({ rowCount, isCutOff }).slice(1)}`,
  );
}
