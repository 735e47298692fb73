import type { Comment, CommentMark, CommentThread } from '#contract/dashboards/comments.ts';
import type { Actor } from '../../base/actor.ts';
import { AtriumError, notFound } from '../../base/errors.ts';
import { parseJson } from '../../base/texts/json.ts';
import { cursorOf, withinBytes, type Page, type PageRequest } from '../../base/paging.ts';
import { requireReport } from '../../reports/access.ts';
import type { Reader } from '../../storage/database.ts';
import { requireDashboard } from '../access/access.ts';
import {
  findThread,
  findThreadOfComment,
  selectComments,
  selectMentions,
  selectNames,
  selectThreads,
  type StoredThread,
} from './store.ts';

/** Sorts after every ID. */
const afterAll = 'g';

/** Lists threads of a dashboard that the actor may view, the newest first; with a comment, only the thread of that comment. */
export async function listThreads(
  reader: Reader,
  actor: Actor,
  filter: {
    readonly dashboardId: string;
    readonly state?: 'open' | 'resolved' | undefined;
    readonly commentId?: string | undefined;
  },
  page: PageRequest,
): Promise<Page<CommentThread>> {
  const { dashboardId, state, commentId } = filter;
  await requireDashboard(reader, actor, dashboardId);
  if (commentId !== undefined) {
    const found = await findThreadOfComment(reader, { dashboardId, commentId });
    return { items: await toThreads(reader, actor, found === undefined ? [] : [found]) };
  }
  const range = { dashboardId, state, before: page.after ?? afterAll, limit: page.limit + 1 };
  const rows = await selectThreads(reader, range);
  const shown = withinBytes(rows.slice(0, page.limit));
  const last = shown.at(-1);
  return {
    items: await toThreads(reader, actor, shown),
    ...(last !== undefined && rows.length > shown.length && { nextCursor: cursorOf(last.id) }),
  };
}

/** Returns a thread of a dashboard. Throws `not_found`. */
export async function getThread(
  reader: Reader,
  actor: Actor,
  key: { readonly dashboardId: string; readonly threadId: string },
): Promise<CommentThread> {
  const found = await findThread(reader, key);
  const [thread] = await toThreads(reader, actor, found === undefined ? [] : [found]);
  if (thread === undefined) throw notFound();
  return thread;
}

/** A mark as it is stored: with the report whose result it is from, which decides who sees it. */
export type StoredMark = CommentMark & { readonly reportId: string };

/** Sound because the mark was validated before it was stored. */
const parseMark = ({ mark }: StoredThread): StoredMark | undefined =>
  mark === null ? undefined : (parseJson(mark) as StoredMark);

/** Returns which of some reports the actor may see. */
async function findVisibleReports(
  reader: Reader,
  actor: Actor,
  ids: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const visible = new Set<string>();
  for (const id of ids) {
    try {
      visible.add((await requireReport(reader, actor, id)).id);
    } catch (error) {
      if (!(error instanceof AtriumError)) throw error;
    }
  }
  return visible;
}

/**
 * Returns stored threads with their comments and the names of people. The value that a thread is about is left out for people who may
 * not see its report: access to a dashboard doesn't pass on to reports.
 */
async function toThreads(
  reader: Reader,
  actor: Actor,
  threads: readonly StoredThread[],
): Promise<CommentThread[]> {
  if (threads.length === 0) return [];
  const threadIds = threads.map(({ id }) => id);
  const mentions = Map.groupBy(await selectMentions(reader, threadIds), ({ commentId }) => commentId);
  const comments = Map.groupBy(await selectComments(reader, threadIds), ({ threadId }) => threadId);
  const resolvers = await selectNames(
    reader,
    threads.flatMap(({ resolvedBy }) => resolvedBy ?? []),
  );
  const marks = new Map(threads.map((thread) => [thread.id, parseMark(thread)]));
  const reportIds = new Set([...marks.values()].flatMap((mark) => mark?.reportId ?? []));
  const visible = await findVisibleReports(reader, actor, reportIds);
  const markOf = (threadId: string): { readonly mark?: CommentMark } => {
    const { reportId = '', ...mark } = marks.get(threadId) ?? {};
    // Sound because only the report was taken away.
    return visible.has(reportId) ? { mark: mark as CommentMark } : {};
  };
  const toComment = (stored: Awaited<ReturnType<typeof selectComments>>[number]): Comment => ({
    id: stored.id,
    userId: stored.userId,
    userName: stored.userName,
    text: stored.content,
    mentions: (mentions.get(stored.id) ?? []).map(({ userId, name }) => ({ userId, name })),
    createdAt: stored.createdAt,
    ...(stored.editedAt !== null && { editedAt: stored.editedAt }),
    ...(stored.deletedAt !== null && { deletedAt: stored.deletedAt }),
  });
  return threads.map(({ id, version, widgetId, resolvedAt, resolvedBy }) => ({
    id,
    version,
    ...(widgetId !== null && { widgetId }),
    ...markOf(id),
    ...(resolvedAt !== null && { resolvedAt, resolvedByName: resolvers.get(resolvedBy ?? '') ?? '' }),
    comments: (comments.get(id) ?? []).map(toComment),
  }));
}
