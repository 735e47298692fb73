import { sql } from 'kysely';
import type { Tenant } from '../../base/tenant.ts';
import { requireRoom } from '../../quotas/quotas.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

/** A thread as it is stored. */
export interface StoredThread {
  readonly id: string;
  readonly dashboardId: string;
  readonly version: number;
  readonly widgetId: string | null;
  /** A `CommentMark` as JSON. */
  readonly mark: string | null;
  readonly resolvedAt: string | null;
  readonly resolvedBy: string | null;
}

/** A comment as it is stored. */
export interface StoredComment {
  readonly id: string;
  readonly threadId: string;
  readonly userId: string;
  readonly content: string;
  readonly createdAt: string;
  readonly editedAt: string | null;
  readonly deletedAt: string | null;
}

const threadColumns = [
  'comment_threads.id',
  'comment_threads.dashboard_id as dashboardId',
  'comment_threads.version',
  'comment_threads.widget_id as widgetId',
  'comment_threads.mark',
  'comment_threads.resolved_at as resolvedAt',
  'comment_threads.resolved_by as resolvedBy',
] as const;

const commentColumns = [
  'comments.id',
  'comments.thread_id as threadId',
  'comments.user_id as userId',
  'comments.content',
  'comments.created_at as createdAt',
  'comments.edited_at as editedAt',
  'comments.deleted_at as deletedAt',
] as const;

const touch = prepare((db, p: { dashboardId: string }) =>
  db
    .insertInto('comment_counts')
    .values({ dashboard_id: p.dashboardId, revision: 1, open_count: 0, comment_count: 0 })
    .onConflict((conflict) =>
      conflict
        .column('dashboard_id')
        .doUpdateSet((eb) => ({ revision: eb('comment_counts.revision', '+', 1) })),
    ),
);

/** Locks the comments of a dashboard until the transaction ends, and increments their revision. */
export const lockComments = (transaction: Transaction, dashboardId: string): Promise<number> =>
  transaction.run(touch, { dashboardId });

const openThreads = prepare((db, p: { dashboardId: string }) =>
  db
    .selectFrom('comment_threads')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('dashboard_id', '=', p.dashboardId)
    .where('resolved_at', 'is', null),
);
const allComments = prepare((db, p: { dashboardId: string }) =>
  db
    .selectFrom('comments')
    .innerJoin('comment_threads', 'comment_threads.id', 'comments.thread_id')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('comment_threads.dashboard_id', '=', p.dashboardId),
);
const setCounts = prepare((db, p: { dashboardId: string; open: number; all: number }) =>
  db
    .updateTable('comment_counts')
    .set({ open_count: p.open, comment_count: p.all })
    .where('dashboard_id', '=', p.dashboardId),
);

/** Stores how many comments and open threads a dashboard has, and returns the number of comments. */
export async function storeCounts(transaction: Transaction, dashboardId: string): Promise<number> {
  const open = Number((await transaction.first(openThreads, { dashboardId }))?.count ?? 0);
  const all = Number((await transaction.first(allComments, { dashboardId }))?.count ?? 0);
  await transaction.run(setCounts, { dashboardId, open, all });
  transaction.announce(dashboardId);
  return all;
}

interface Range {
  readonly dashboardId: string;
  readonly before: string;
  readonly limit: number;
}

const threadsOf = (state: 'open' | 'resolved' | undefined) =>
  prepare((db, p: Range) => {
    const all = db
      .selectFrom('comment_threads')
      .select([...threadColumns])
      .select(({ selectFrom }) =>
        selectFrom('comments')
          .select(sql<number | string | null>`sum(length(comments.content))`.as('length'))
          .whereRef('comments.thread_id', '=', 'comment_threads.id')
          .as('length'),
      )
      .where('dashboard_id', '=', p.dashboardId)
      .where('id', '<', p.before)
      .orderBy('id', 'desc')
      .limit(p.limit);
    if (state === undefined) return all;
    return all.where('resolved_at', state === 'open' ? 'is' : 'is not', null);
  });
const threadQueries = { open: threadsOf('open'), resolved: threadsOf('resolved'), all: threadsOf(undefined) };

/** Returns threads of a dashboard, the newest first, with about how many bytes their comments have. */
export async function selectThreads(
  reader: Reader,
  { state, ...range }: Range & { readonly state: 'open' | 'resolved' | undefined },
): Promise<(StoredThread & { readonly sizeBytes: number })[]> {
  const rows = await reader.all(threadQueries[state ?? 'all'], range);
  return rows.map(({ length, ...row }) => ({ ...row, sizeBytes: Number(length ?? 0) }));
}

const threadOfComment = prepare((db, p: { dashboardId: string; commentId: string }) =>
  db
    .selectFrom('comment_threads')
    .innerJoin('comments', 'comments.thread_id', 'comment_threads.id')
    .select([...threadColumns])
    .where('comments.id', '=', p.commentId)
    .where('comment_threads.dashboard_id', '=', p.dashboardId),
);

/** Returns the thread of a comment on a dashboard, or undefined. */
export const findThreadOfComment = (
  reader: Reader,
  key: { dashboardId: string; commentId: string },
): Promise<StoredThread | undefined> => reader.first(threadOfComment, key);

const thread = prepare((db, p: { dashboardId: string; threadId: string }) =>
  db
    .selectFrom('comment_threads')
    .select([...threadColumns])
    .where('id', '=', p.threadId)
    .where('dashboard_id', '=', p.dashboardId),
);

/** Returns a thread of a dashboard, or undefined. */
export const findThread = (
  reader: Reader,
  key: { dashboardId: string; threadId: string },
): Promise<StoredThread | undefined> => reader.first(thread, key);

const inThreads = prepare((db, p: { threadIds: readonly string[] }) =>
  db
    .selectFrom('comments')
    .innerJoin('users', 'users.id', 'comments.user_id')
    .select([...commentColumns, 'users.name as userName'])
    .where('comments.thread_id', 'in', p.threadIds)
    .orderBy('comments.id'),
);

/** Returns the comments of threads with the names of their authors, the oldest first. */
export const selectComments = (
  reader: Reader,
  threadIds: readonly string[],
): Promise<(StoredComment & { readonly userName: string })[]> => reader.all(inThreads, { threadIds });

const mentionsIn = prepare((db, p: { threadIds: readonly string[] }) =>
  db
    .selectFrom('comment_mentions')
    .innerJoin('comments', 'comments.id', 'comment_mentions.comment_id')
    .innerJoin('users', 'users.id', 'comment_mentions.user_id')
    .select(['comments.id as commentId', 'users.id as userId', 'users.name'])
    .where('comments.thread_id', 'in', p.threadIds)
    .orderBy('users.id'),
);

/** Returns the people that the comments of threads mention. */
export const selectMentions = (
  reader: Reader,
  threadIds: readonly string[],
): Promise<{ commentId: string; userId: string; name: string }[]> => reader.all(mentionsIn, { threadIds });

const names = prepare((db, p: { userIds: readonly string[] }) =>
  db.selectFrom('users').select(['id', 'name']).where('id', 'in', p.userIds),
);

/** Returns the names of users by their IDs. */
export async function selectNames(reader: Reader, userIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await reader.all(names, { userIds });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const insertThreadRow = prepare((db, p: StoredThread) =>
  db.insertInto('comment_threads').values({
    id: p.id,
    dashboard_id: p.dashboardId,
    version: p.version,
    widget_id: p.widgetId,
    mark: p.mark,
    resolved_at: null,
    resolved_by: null,
  }),
);

export async function insertThread(
  transaction: Transaction,
  tenant: Tenant,
  stored: StoredThread,
): Promise<void> {
  await requireRoomFor(transaction, tenant, stored.mark);
  await transaction.run(insertThreadRow, stored);
}

/** Makes sure that a text of a dashboard of `tenant` may be stored. */
const requireRoomFor = (transaction: Transaction, tenant: Tenant, text: string | null): Promise<void> =>
  requireRoom(transaction, tenant, { records: 0, bytes: Buffer.byteLength(text ?? '') });

const insertRow = prepare((db, p: Omit<StoredComment, 'editedAt' | 'deletedAt'>) =>
  db.insertInto('comments').values({
    id: p.id,
    thread_id: p.threadId,
    user_id: p.userId,
    content: p.content,
    created_at: p.createdAt,
    edited_at: null,
    deleted_at: null,
  }),
);

export async function insertComment(
  transaction: Transaction,
  tenant: Tenant,
  comment: Omit<StoredComment, 'editedAt' | 'deletedAt'>,
): Promise<void> {
  await requireRoomFor(transaction, tenant, comment.content);
  await transaction.run(insertRow, comment);
}

const insertMention = prepare((db, p: { commentId: string; userId: string }) =>
  db.insertInto('comment_mentions').values({ comment_id: p.commentId, user_id: p.userId }),
);
const deleteMentions = prepare((db, p: { commentId: string }) =>
  db.deleteFrom('comment_mentions').where('comment_id', '=', p.commentId),
);

/** Replaces the people that a comment mentions. */
export async function replaceMentions(
  transaction: Transaction,
  commentId: string,
  userIds: readonly string[],
): Promise<void> {
  await transaction.run(deleteMentions, { commentId });
  for (const userId of userIds) await transaction.run(insertMention, { commentId, userId });
}

const edit = prepare((db, p: { id: string; content: string; at: string }) =>
  db.updateTable('comments').set({ content: p.content, edited_at: p.at }).where('id', '=', p.id),
);

export async function updateComment(
  transaction: Transaction,
  tenant: Tenant,
  change: { id: string; content: string; at: string },
): Promise<void> {
  await requireRoomFor(transaction, tenant, change.content);
  await transaction.run(edit, change);
}

const empty = prepare((db, p: { id: string; at: string }) =>
  db.updateTable('comments').set({ content: '', deleted_at: p.at }).where('id', '=', p.id),
);

/** Deletes the text of a comment, which stays as the first one of its thread. */
export const emptyComment = (transaction: Transaction, change: { id: string; at: string }): Promise<number> =>
  transaction.run(empty, change);

const remove = prepare((db, p: { id: string }) => db.deleteFrom('comments').where('id', '=', p.id));

export const deleteCommentRow = (transaction: Transaction, id: string): Promise<number> =>
  transaction.run(remove, { id });

const removeThread = prepare((db, p: { id: string }) =>
  db.deleteFrom('comment_threads').where('id', '=', p.id),
);

/** Deletes a thread with its comments. */
export const deleteThread = (transaction: Transaction, id: string): Promise<number> =>
  transaction.run(removeThread, { id });

const resolve = prepare((db, p: { id: string; at: string | null; userId: string | null }) =>
  db.updateTable('comment_threads').set({ resolved_at: p.at, resolved_by: p.userId }).where('id', '=', p.id),
);

/** Resolves a thread, or reopens it without a resolution. */
export const setResolved = (
  transaction: Transaction,
  id: string,
  resolution: { readonly at: string; readonly userId: string } | undefined,
): Promise<number> =>
  transaction.run(resolve, { id, at: resolution?.at ?? null, userId: resolution?.userId ?? null });
