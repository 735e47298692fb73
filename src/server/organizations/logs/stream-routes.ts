import { Readable } from 'node:stream';
import { readLogStream } from '#contract/organizations/log-stream.ts';
import type { AccessLog } from '../../access-log/access-log.ts';
import type { Clock } from '../../base/clock.ts';
import type { Serve } from '../../http/serve.ts';
import { readLines } from '../../log-chain/entries.ts';
import { sealSome } from '../../log-chain/seal.ts';
import type { Database } from '../../storage/database.ts';
import { requirePermission } from '../authorization.ts';

/** Serves the logs of an organization to log servers, in the order of their chains. */
export function serveLogStream(
  serve: Serve,
  dependencies: { readonly database: Database; readonly clock: Clock; readonly accessLog: AccessLog },
): void {
  const { database, accessLog } = dependencies;
  serve(readLogStream, async ({ actor, params: { orgId: organizationId }, query }) => {
    await requirePermission(database, actor, organizationId, 'audit.view');
    const { log, after = '0', limit = '1000' } = query;
    // So that the newest entries aren't a minute late, unless there are many, which are left to the job.
    if (log === 'access') await accessLog.flush();
    await sealSome(dependencies, { organizationId, log });
    const batch = { organizationId, log, after: Number(after), limit: Number(limit) };
    return Readable.from(readLines(await database.findReader(), batch), { objectMode: false });
  });
}
