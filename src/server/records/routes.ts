import type { FastifyReply } from 'fastify';
import type { SharingOperations } from '#contract/records/sharing.ts';
import type { TrashOperations } from '#contract/records/trash.ts';
import type { VersionOperations } from '#contract/records/versions.ts';
import { explainAccess } from '../access/explanation.ts';
import { getAccess, setAccess } from '../access/sharing.ts';
import type { Clock } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import { parseJson } from '../base/texts/json.ts';
import { pageRequest } from '../base/paging.ts';
import { readExpected } from '../http/request/preconditions.ts';
import { etagOf } from '../http/response/entity-tags.ts';
import { JsonText, type Serve } from '../http/serve.ts';
import type { Database } from '../storage/database.ts';
import type { EditOutcome } from './edit.ts';
import { versionKey } from './versions/history.ts';
import type { RecordKind } from './kind.ts';
import type { StoredRecord } from './record.ts';
import { getPermissions, sharableRecords, transferRecord } from './sharing.ts';
import { listTrash, purge, restoreFromTrash, trashKey } from './trash.ts';
import { compareVersions, getVersion, listVersions, restoreVersion } from './versions/versions.ts';

/** Returns the body of a response with a record, and sets its `ETag`. */
export type Respond<Stored, Body> = (stored: Stored, reply: FastifyReply) => Body | JsonText<Body>;

/** Registers the operations on versions, on sharing and on the trash, which every kind of record has. */
export function serveRecords<Content extends object, Stored extends StoredRecord, Body>(
  serve: Serve,
  dependencies: { readonly database: Database; readonly clock: Clock },
  kind: RecordKind<Content, Stored>,
  operations: {
    readonly versions: VersionOperations;
    readonly sharing: SharingOperations;
    readonly trash: TrashOperations;
  },
  respond: Respond<Stored, Body>,
): void {
  const { database } = dependencies;
  const { versions, sharing, trash } = operations;
  const idOf = (params: Readonly<Record<string, unknown>>) => String(params[`${kind.name}Id`]);

  serve(versions.list, async ({ actor, params, query }) =>
    listVersions(await database.findReader(), actor, kind, idOf(params), pageRequest(query, versionKey)),
  );
  serve(versions.get, ({ actor, params }) =>
    getVersion(database, actor, kind, { id: idOf(params), version: Number(params.version) }),
  );
  serve(versions.restore, async ({ actor, params, headers }, reply) => {
    const input = { id: idOf(params), version: Number(params.version), expected: readExpected(headers) };
    return respond(await restoreVersion(dependencies, actor, kind, input), reply);
  });
  serve(versions.compare, async ({ actor, params, query }) => {
    const to = query.to === undefined ? undefined : Number(query.to);
    const input = { id: idOf(params), from: Number(query.from), to };
    return { items: await compareVersions(database, actor, kind, input) };
  });

  const sharable = sharableRecords(kind);
  serve(sharing.permissions, ({ actor, params }) => getPermissions(database, actor, kind, idOf(params)));
  serve(sharing.get, ({ actor, params }) => getAccess(database, actor, sharable, idOf(params)));
  serve(sharing.put, ({ actor, params, body }) =>
    setAccess(dependencies, actor, sharable, { id: idOf(params), access: body }),
  );
  serve(sharing.explain, ({ actor, params }) =>
    explainAccess(database, actor, sharable, { id: idOf(params), userId: params.userId }),
  );
  serve(sharing.transfer, async ({ actor, params, body }, reply) => {
    const input = { id: idOf(params), userId: body.userId };
    return respond(await transferRecord(dependencies, actor, kind, input), reply);
  });

  serve(trash.list, ({ actor, query }) =>
    listTrash(database, actor, kind, query.organizationId, pageRequest(query, trashKey)),
  );
  serve(trash.restore, async ({ actor, params }, reply) =>
    respond(await restoreFromTrash(dependencies, actor, kind, params.id), reply),
  );
  serve(trash.purge, async ({ actor, params }) => {
    await purge(dependencies, actor, kind, params.id);
    return undefined;
  });
}

/** Returns the body of the response to an edit. Throws `edit_conflict` with everything that a client needs to resolve it. */
export function respondToEdit<Stored extends StoredRecord, Body>(
  outcome: EditOutcome<Stored>,
  reply: FastifyReply,
  respond: Respond<Stored, Body>,
): Body | JsonText<Body> {
  const { record } = outcome;
  const current = respond(record, reply);
  if (outcome.kind === 'stored') {
    if (outcome.isMerged) reply.header('atrium-merged', 'true');
    return current;
  }
  const { merged, conflicts } = outcome;
  const count =
    conflicts.length === 1 ? 'One of your changes conflicts' : `${conflicts.length} of your changes conflict`;
  throw new AtriumError(
    'edit_conflict',
    `${count} with what others have saved. None of your changes were saved.`,
    {
      extension: {
        etag: etagOf(record),
        current: current instanceof JsonText ? parseJson(current.text) : current,
        merged,
        conflicts,
      },
    },
  );
}
