import * as contract from '#contract/dashboards/comments.ts';
import type { Clock } from '../../base/clock.ts';
import { pageRequest } from '../../base/paging.ts';
import { afterResponse } from '../../http/response/after-response.ts';
import type { Serve } from '../../http/serve.ts';
import type { CreateOnce } from '../../idempotency/idempotency.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { Database } from '../../storage/database.ts';
import { requireDashboard } from '../access/access.ts';
import {
  addComment,
  createCommentLimit,
  deleteComment,
  editComment,
  limitComments,
  type Written,
} from './comments.ts';
import { mailComment } from './mails.ts';
import { listMentionable } from './mentionable.ts';
import { listThreads } from './threads.ts';

export function serveComments(
  serve: Serve,
  dependencies: {
    readonly database: Database;
    readonly clock: Clock;
    readonly createOnce: CreateOnce;
    readonly mailer: Mailer;
    readonly publicUrl: string;
  },
): void {
  const { database, clock, createOnce } = dependencies;
  const limited = { ...dependencies, written: createCommentLimit() };

  serve(contract.listComments, ({ actor, params, query }) =>
    listThreads(
      database,
      actor,
      { dashboardId: params.dashboardId, state: query.state, commentId: query['comment-id'] },
      pageRequest(query),
    ),
  );

  serve(contract.createComment, async ({ actor, params, body }, reply) => {
    // Before anything is counted, so that the limit says nothing about a dashboard that the actor can't see.
    await requireDashboard(database, actor, params.dashboardId);
    await limitComments(limited, actor);
    let created: Written | undefined;
    const response = await createOnce<Written, contract.CommentThread>(reply, actor, {
      create: (transaction) =>
        addComment(transaction, clock, actor, { dashboardId: params.dashboardId, input: body }),
      respond: (written) => {
        created = written;
        return written.thread;
      },
      requireReadable: (reader) => requireDashboard(reader, actor, params.dashboardId),
    });
    // Only once it is committed, and not for a repeated request.
    const written = created;
    if (written !== undefined) {
      afterResponse(reply)(() => mailComment(limited, actor, written, { isEdit: false }));
    }
    return response;
  });

  serve(contract.changeComment, async ({ actor, params, body }, reply) => {
    await requireDashboard(database, actor, params.dashboardId);
    await limitComments(limited, actor);
    const written = await editComment(limited, actor, params, body);
    afterResponse(reply)(() => mailComment(limited, actor, written, { isEdit: true }));
    return written.thread;
  });

  serve(contract.deleteComment, async ({ actor, params }) => {
    await deleteComment(limited, actor, params);
    return undefined;
  });

  serve(contract.listMentionable, async ({ actor, params, query }) => ({
    items: await listMentionable(database, actor, { dashboardId: params.dashboardId, q: query.q }),
  }));
}
