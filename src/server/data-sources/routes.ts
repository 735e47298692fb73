import * as contract from '#contract/data-sources/data-sources.ts';
import * as sourcesTrash from '#contract/data-sources/sources-trash.ts';
import * as tablesTrash from '#contract/data-sources/tables-trash.ts';
import * as uploads from '#contract/data-sources/uploads.ts';
import { dataSourceSharing } from '#contract/records/sharing.ts';
import type { AccessLog } from '../access-log/access-log.ts';
import { explainAccess } from '../access/explanation.ts';
import { getAccess, setAccess } from '../access/sharing.ts';
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
  getDataSource,
  listDataSources,
  listSourceUses,
  replaceDataSource,
  type DataSourceDependencies,
  type FindSourceUses,
} from './data-sources.ts';
import { getSourcePermissions, sharableSources } from './sharing.ts';
import { createTestLimit, listSourceTables, previewSourceTable, testDataSource } from './browsing.ts';
import { sourceDirectory, type SourceFiles } from './tables/files.ts';
import { uploadTable } from './tables/upload.ts';
import type { UploadLimits } from './tables/upload-quota.ts';
import { deleteTable, listDeletedTables, purgeTable, restoreTable } from './tables/trash.ts';
import { deleteDataSource, listDeletedSources, purgeSource, restoreSource } from './trash.ts';
import { trashKey } from './trash-store.ts';
import { importUpload } from './uploads/import.ts';
import { createUpload, deleteUpload, previewUpload } from './uploads/uploads.ts';

/** Dependencies of the operations on data sources, their tables and uploads. */
export interface DataSourceRouteDependencies extends DataSourceDependencies, UploadLimits {
  readonly engine: QueryEngine;
  readonly accessLog: AccessLog;
  readonly files: SourceFiles;
  readonly findAddresses: FindAddresses;
  readonly findUses: FindSourceUses;
  readonly createOnce: CreateOnce;
}

export function serveDataSources(serve: Serve, dependencies: DataSourceRouteDependencies): void {
  const { database, files, createOnce } = dependencies;
  serve(contract.createDataSource, ({ actor, params, body }, reply) =>
    createOnce<contract.DataSource, contract.DataSource>(reply, actor, {
      create: (transaction) =>
        createDataSource(transaction, dependencies, actor, { ...body, organizationId: params.orgId }),
      respond: (source) => source,
      requireReadable: (reader, id) => getDataSource(reader, actor, id),
    }),
  );
  serve(contract.listDataSources, ({ actor, params, query }) =>
    listDataSources(database, actor, params.orgId, pageRequest(query)),
  );
  serve(contract.getDataSource, ({ actor, params }) => getDataSource(database, actor, params.dataSourceId));
  serve(contract.replaceDataSource, ({ actor, params, body }) =>
    replaceDataSource(dependencies, actor, { ...body, id: params.dataSourceId }),
  );
  serve(contract.deleteDataSource, async ({ actor, params, query }) => {
    await deleteDataSource(dependencies, actor, {
      id: params.dataSourceId,
      isForced: query.force === 'true',
    });
    return undefined;
  });
  serve(sourcesTrash.listDeletedDataSources, ({ actor, params, query }) =>
    listDeletedSources(database, actor, params.orgId, pageRequest(query, trashKey)),
  );
  serve(sourcesTrash.restoreDeletedDataSource, ({ actor, params }) =>
    restoreSource(dependencies, actor, params.id),
  );
  serve(sourcesTrash.purgeDataSource, async ({ actor, params }, reply) => {
    const { organizationId, id } = await purgeSource(dependencies, actor, params.id);
    const directory = sourceDirectory(files.directory, organizationId, id);
    afterResponse(reply)(() => files.removeDirectory(directory));
    return undefined;
  });
  serve(dataSourceSharing.permissions, ({ actor, params }) =>
    getSourcePermissions(database, actor, params.dataSourceId),
  );
  serve(dataSourceSharing.get, ({ actor, params }) =>
    getAccess(database, actor, sharableSources, params.dataSourceId),
  );
  serve(dataSourceSharing.put, ({ actor, params, body }) =>
    setAccess(dependencies, actor, sharableSources, { id: params.dataSourceId, access: body }),
  );
  serve(dataSourceSharing.explain, ({ actor, params }) =>
    explainAccess(database, actor, sharableSources, { id: params.dataSourceId, userId: params.userId }),
  );
  serveTables(serve, dependencies);
}

function serveTables(serve: Serve, dependencies: DataSourceRouteDependencies): void {
  const { database } = dependencies;
  const browsing = {
    ...dependencies,
    limitTests: createTestLimit(),
  };
  serve(contract.testDataSource, ({ actor, params }, reply) =>
    testDataSource(browsing, actor, params.dataSourceId, clientSignal(reply)),
  );
  serve(contract.listSourceTables, async ({ actor, params }, reply) => ({
    items: await listSourceTables(browsing, actor, params.dataSourceId, clientSignal(reply)),
  }));
  serve(contract.previewSourceTable, async ({ actor, params, query }, reply) => {
    const input = { id: params.dataSourceId, table: params.table, schema: query.schema };
    return toRowsText(await previewSourceTable(browsing, actor, input, clientSignal(reply)));
  });
  serve(contract.uploadTable, ({ actor, params, body }) =>
    uploadTable(dependencies, actor, { ...params, ...body }),
  );
  serve(uploads.createUpload, ({ actor, params, body }) =>
    createUpload(dependencies, actor, { ...body, organizationId: params.orgId }),
  );
  serve(uploads.previewUpload, ({ actor, params, body }, reply) =>
    previewUpload(dependencies, actor, { id: params.uploadId, options: body.options }, clientSignal(reply)),
  );
  serve(uploads.importUpload, ({ actor, params, body }, reply) =>
    importUpload(dependencies, actor, { ...body, id: params.uploadId }, clientSignal(reply)),
  );
  serve(uploads.deleteUpload, async ({ actor, params }) => {
    await deleteUpload(dependencies, actor, params.uploadId);
    return undefined;
  });
  serve(contract.deleteTable, async ({ actor, params }) => {
    await deleteTable(dependencies, actor, params);
    return undefined;
  });
  serve(tablesTrash.listSourceUses, async ({ actor, params, query }) => {
    const { reports, reportCount } = await listSourceUses(dependencies, actor, params.dataSourceId, query);
    return { items: reports, totalCount: reportCount };
  });
  serve(tablesTrash.listDeletedTables, ({ actor, params, query }) =>
    listDeletedTables(database, actor, params.orgId, pageRequest(query)),
  );
  serve(tablesTrash.restoreDeletedTable, ({ actor, params }) => restoreTable(dependencies, actor, params.id));
  serve(tablesTrash.purgeTable, async ({ actor, params }) => {
    await purgeTable(dependencies, actor, params.id);
    return undefined;
  });
}

/** Returns the response as text, since the rows of the query engine already are JSON. */
function toRowsText({ columns, rowsJson, rowCount, isCutOff }: QueryRows): JsonText<contract.Rows> {
  const rows = Buffer.from(rowsJson).toString('utf8');
  return new JsonText(
    `{"columns":${JSON.stringify(columns)},"rows":${rows},${JSON.stringify({ rowCount, isCutOff }).slice(1)}`,
  );
}
