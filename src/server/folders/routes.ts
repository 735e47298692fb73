import type { FastifyReply } from 'fastify';
import * as contract from '#contract/records/folders.ts';
import { folderSharing } from '#contract/records/sharing.ts';
import { explainAccess } from '../access/explanation.ts';
import { getAccess, setAccess } from '../access/sharing.ts';
import { readExpected } from '../http/request/preconditions.ts';
import { etagOf } from '../http/response/entity-tags.ts';
import type { Serve } from '../http/serve.ts';
import type { CreateOnce } from '../idempotency/idempotency.ts';
import { requireFolder } from './access.ts';
import {
  addFolder,
  changeFolder,
  getFolder,
  listFolders,
  openPersonalFolder,
  type FolderReply,
} from './folders.ts';
import { changeItems, type ItemDependencies } from './items.ts';
import { sharableFolders } from './sharing.ts';
import { deleteFolder, purgeFolder, restoreFolder } from './trash.ts';

export function serveFolders(
  serve: Serve,
  dependencies: ItemDependencies & { readonly createOnce: CreateOnce },
): void {
  const { database, clock, createOnce } = dependencies;
  serve(contract.createFolder, ({ actor, params, body }, reply) =>
    createOnce<FolderReply, contract.Folder>(reply, actor, {
      create: (transaction) =>
        addFolder(transaction, clock, actor, { ...body, organizationId: params.orgId }),
      respond: (created) => toReply(created, reply),
      requireReadable: (reader, id) => requireFolder(reader, actor, id),
    }),
  );
  serve(contract.listFolders, async ({ actor, params, query }) => ({
    items: await listFolders(await database.findReader(), actor, {
      organizationId: params.orgId,
      isDeleted: query.deleted === 'true',
    }),
  }));
  serve(contract.openPersonalFolder, async ({ actor, params }, reply) =>
    toReply(await openPersonalFolder(dependencies, actor, params.orgId), reply),
  );
  serve(contract.getFolder, async ({ actor, params }, reply) =>
    toReply(await getFolder(database, actor, params.folderId), reply),
  );
  serve(contract.changeFolder, async ({ actor, params, headers, body }, reply) => {
    const input = { id: params.folderId, expected: readExpected(headers), change: body };
    return toReply(await changeFolder(dependencies, actor, input), reply);
  });

  serve(contract.deleteFolder, async ({ actor, params, query }) => {
    await deleteFolder(dependencies, actor, { id: params.folderId, isForced: query.force === 'true' });
    return undefined;
  });
  serve(contract.restoreFolder, async ({ actor, params }, reply) =>
    toReply(await restoreFolder(dependencies, actor, params.folderId), reply),
  );
  serve(contract.purgeFolder, async ({ actor, params }) => {
    await purgeFolder(dependencies, actor, params.id);
    return undefined;
  });

  const sharable = sharableFolders(dependencies.onReportsHidden);
  serve(folderSharing.get, ({ actor, params }) => getAccess(database, actor, sharable, params.folderId));
  serve(folderSharing.put, ({ actor, params, body }) =>
    setAccess(dependencies, actor, sharable, { id: params.folderId, access: body }),
  );
  serve(folderSharing.explain, ({ actor, params }) =>
    explainAccess(database, actor, sharable, { id: params.folderId, userId: params.userId }),
  );

  serve(contract.changeItems, ({ actor, params, body }) =>
    changeItems(dependencies, actor, { ...body, organizationId: params.orgId }),
  );
}

function toReply({ folder, version }: FolderReply, reply: FastifyReply): contract.Folder {
  reply.header('etag', etagOf({ version }));
  return folder;
}
