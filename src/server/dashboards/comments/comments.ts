import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import type { CommentEdit, CommentInput, CommentThread } from '#contract/dashboards/comments.ts';
import type { Fault } from '#contract/problem.ts';
import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { AtriumError, invalidBody, invalidFaults, notFound } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { consume } from '../../base/rate-limit.ts';
import { tenantOf } from '../../base/tenant.ts';
import { standingOf } from '../../records/access.ts';
import { recordChange } from '../../records/audit.ts';
import { maxMarkLength } from '#shared/comments.ts';
import { mayOn } from '#shared/permissions.ts';
import type { Database, Transaction } from '../../storage/database.ts';
import { requireDashboard } from '../access/access.ts';
import { contentOf } from '../content/content.ts';
import { findVisible, viewerKey } from '../live/visibility-store.ts';
import type { ReadableDashboard } from '../store.ts';
import {
  deleteCommentRow,
  deleteThread,
  emptyComment,
  findThread,
  findThreadOfComment,
  insertComment,
  insertThread,
  lockComments,
  replaceMentions,
  selectComments,
  selectMentions,
  setResolved,
  storeCounts,
  updateComment,
} from './store.ts';
import { getThread, type StoredMark } from './threads.ts';

const maxComments = 5_000;
const maxInThread = 200;

/** What a change of comments needs. */
export interface CommentDependencies {
  readonly database: Database;
  readonly clock: Clock;
  /** Comments written and edited by a person, in this process. */
  readonly written: RateLimiterMemory;
}

/** Returns the limit of comments that a person writes: far more than anyone types in 15 minutes. */
export const createCommentLimit = (): RateLimiterMemory =>
  new RateLimiterMemory({ keyPrefix: 'comment', points: 60, duration: 900 });

/** A comment that was written or edited, for the emails about it. */
export interface Written {
  readonly thread: CommentThread;
  readonly commentId: string;
  readonly dashboard: Pick<ReadableDashboard, 'id' | 'name' | 'organizationId'>;
  /** The people who were not mentioned before. */
  readonly mentioned: readonly string[];
}

/** Refuses a person who writes too much. Throws `too_many_attempts`. */
export const limitComments = ({ written }: CommentDependencies, actor: Actor): Promise<void> =>
  consume(written, actor.userId, 'comments');

/**
 * Stores a comment on a dashboard that the actor may view, or a reply. Throws `invalid_body` for a widget that the dashboard
 * doesn't have and for people who can't be mentioned, and `too_many_comments`.
 */
export async function addComment(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  { dashboardId, input }: { readonly dashboardId: string; readonly input: CommentInput },
): Promise<Written> {
  const dashboard = await requireDashboard(transaction, actor, dashboardId);
  const content = requireText(input.text);
  const mentioned = await requireMentionable(transaction, dashboardId, input.mentions ?? []);
  const mark = requireTarget(dashboard, input);
  await lockComments(transaction, dashboardId);
  const tenant = tenantOf(dashboard);
  const comment = { id: newId(), userId: actor.userId, content, createdAt: timestamp(clock()) };
  const threadId = input.threadId ?? comment.id;
  if (input.threadId === undefined) {
    await insertThread(transaction, tenant, {
      id: threadId,
      dashboardId,
      version: dashboard.version,
      widgetId: input.widgetId ?? null,
      mark,
      resolvedAt: null,
      resolvedBy: null,
    });
  } else if ((await findThread(transaction, { dashboardId, threadId })) === undefined) {
    throw invalidBody({ pointer: '/threadId', code: 'thread', message: 'is not a thread of the dashboard' });
  }
  await insertComment(transaction, tenant, { ...comment, threadId });
  await replaceMentions(transaction, comment.id, mentioned);
  const count = await storeCounts(transaction, dashboardId);
  const thread = await getThread(transaction, actor, { dashboardId, threadId });
  if (count > maxComments) throw tooMany('dashboard', maxComments, 'Delete some first.');
  if (thread.comments.length > maxInThread) throw tooMany('thread', maxInThread, 'Start a new thread.');
  return { thread, commentId: comment.id, dashboard, mentioned };
}

const tooMany = (what: string, limit: number, advice: string): AtriumError =>
  new AtriumError(
    'too_many_comments',
    `This ${what} already has ${limit.toLocaleString('en')} comments. ${advice}`,
  );

/**
 * Edits the actor's own comment, and resolves or reopens its thread. Throws `forbidden` for the text of another's comment, and
 * `not_found`.
 */
export function editComment(
  { database, clock }: CommentDependencies,
  actor: Actor,
  key: { readonly dashboardId: string; readonly commentId: string },
  { text, mentions, resolved }: CommentEdit,
): Promise<Written> {
  const { dashboardId, commentId } = key;
  return database.write(async (transaction) => {
    const dashboard = await requireDashboard(transaction, actor, dashboardId);
    await lockComments(transaction, dashboardId);
    const { thread, comment } = await requireComment(transaction, key);
    const at = timestamp(clock());
    let mentioned: readonly string[] = [];
    if (text !== undefined) {
      if (comment.userId !== actor.userId) {
        throw new AtriumError('forbidden', 'You can only edit your own comments.');
      }
      const before = (await selectMentions(transaction, [thread.id])).flatMap((mention) =>
        mention.commentId === commentId ? [mention.userId] : [],
      );
      // People who were mentioned stay so, even if they can no longer view the dashboard.
      const asked = (mentions ?? []).filter((userId) => !before.includes(userId));
      mentioned = await requireMentionable(transaction, dashboardId, asked);
      const change = { id: commentId, content: requireText(text), at };
      await updateComment(transaction, tenantOf(dashboard), change);
      const stayed = before.filter((userId) => (mentions ?? []).includes(userId));
      await replaceMentions(transaction, commentId, [...stayed, ...mentioned]);
    }
    if (resolved !== undefined && resolved !== (thread.resolvedAt !== null)) {
      await setResolved(transaction, thread.id, resolved ? { at, userId: actor.userId } : undefined);
    }
    await storeCounts(transaction, dashboardId);
    return {
      thread: await getThread(transaction, actor, { dashboardId, threadId: thread.id }),
      commentId,
      dashboard,
      mentioned,
    };
  });
}

/**
 * Deletes the actor's own comment or, with permission to edit the dashboard, anyone's. The first comment of a thread stays
 * without its text while the thread has others. Throws `forbidden` and `not_found`.
 */
export async function deleteComment(
  { database, clock }: CommentDependencies,
  actor: Actor,
  key: { readonly dashboardId: string; readonly commentId: string },
): Promise<void> {
  const { dashboardId, commentId } = key;
  await database.write(async (transaction) => {
    const dashboard = await requireDashboard(transaction, actor, dashboardId);
    await lockComments(transaction, dashboardId);
    const { thread, comment, comments } = await requireComment(transaction, key);
    const isOwn = comment.userId === actor.userId;
    if (!isOwn && !mayOn(standingOf(dashboard, actor.userId), 'dashboard.edit')) {
      throw new AtriumError(
        'forbidden',
        'You can only delete your own comments. People who can edit the dashboard can delete all of them.',
      );
    }
    const others = comments.filter(({ id, deletedAt }) => id !== commentId && deletedAt === null);
    if (others.length === 0) await deleteThread(transaction, thread.id);
    else if (comment.id === thread.id) {
      await emptyComment(transaction, { id: commentId, at: timestamp(clock()) });
      await replaceMentions(transaction, commentId, []);
    } else await deleteCommentRow(transaction, commentId);
    await storeCounts(transaction, dashboardId);
    if (isOwn) return;
    const details = { commentId, userId: comment.userId };
    await recordChange(transaction, clock, actor, {
      kind: 'dashboard',
      action: 'comment_deleted',
      record: dashboard,
      details,
    });
  });
}

/** Returns a comment that was not deleted, with its thread. */
async function requireComment(
  transaction: Transaction,
  { dashboardId, commentId }: { readonly dashboardId: string; readonly commentId: string },
) {
  const thread = await findThreadOfComment(transaction, { dashboardId, commentId });
  if (thread === undefined) throw notFound();
  const comments = await selectComments(transaction, [thread.id]);
  const comment = comments.find(({ id }) => id === commentId);
  if (comment === undefined || comment.deletedAt !== null) throw notFound();
  return { thread, comment, comments };
}

function requireText(text: string): string {
  const trimmed = text.trim();
  if (trimmed !== '') return trimmed;
  throw invalidBody({ pointer: '/text', code: 'minLength', message: 'must not be empty' });
}

/** Returns the mark of an input as it is stored. */
function requireTarget(
  dashboard: ReadableDashboard,
  { threadId, widgetId, mark }: CommentInput,
): string | null {
  const fault = (member: string, message: string): AtriumError =>
    invalidBody({ pointer: `/${member}`, code: member, message });
  if (threadId !== undefined && (widgetId !== undefined || mark !== undefined)) {
    throw fault('threadId', 'must not be combined with a widget: a reply is about what the thread is about');
  }
  const widget = contentOf(dashboard).widgets.find(({ id }) => id === widgetId);
  if (widgetId !== undefined && widget === undefined) {
    throw fault('widgetId', 'is not a widget of the dashboard');
  }
  if (mark === undefined) return null;
  if (widget === undefined) throw fault('mark', 'requires the widget that shows it');
  const text = JSON.stringify({ ...mark, reportId: widget.reportId } satisfies StoredMark);
  if (text.length > maxMarkLength)
    throw fault('mark', `must have at most ${maxMarkLength} characters as JSON`);
  return text;
}

/**
 * Returns the distinct people to mention. The fault is the same for people who may not view the dashboard, who aren't members
 * and who don't exist.
 */
async function requireMentionable(
  transaction: Transaction,
  dashboardId: string,
  userIds: readonly string[],
): Promise<string[]> {
  const distinct = [...new Set(userIds)];
  if (distinct.length === 0) return [];
  const visible = await findVisible(
    transaction,
    distinct.map((userId) => ({ dashboardId, userId })),
  );
  const faults = userIds.flatMap((userId, index): Fault[] =>
    visible.has(viewerKey({ dashboardId, userId }))
      ? []
      : [
          {
            pointer: `/mentions/${index}`,
            code: 'member',
            message: 'must be the ID of a member who may view the dashboard',
          },
        ],
  );
  if (faults.length > 0) throw invalidFaults(faults);
  return distinct;
}
