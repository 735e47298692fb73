import { Type, type Static } from 'typebox';
import { maxCommentLength, maxMarkTextLength, maxMentions } from '#shared/comments.ts';
import { IdempotencyKey, idempotencyProblems } from '../idempotency.ts';
import { Mark } from '../reports/drill.ts';
import { GivenId } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { Id, page, PageQuery, Timestamp } from '../values.ts';
import { DashboardParams } from './dashboards.ts';
import { EditingPerson } from './events.ts';

const text = Type.String({ minLength: 1, maxLength: maxCommentLength, description: 'Plain text' });
const mentions = Type.Array(GivenId, {
  maxItems: maxMentions,
  description: 'The user IDs of the people to mention, who must be members that may view the dashboard',
});

/** A value of a result, as a chart or a table shows it. */
export const CommentMark = Type.Object({
  values: Mark,
  text: Type.String({
    minLength: 1,
    maxLength: maxMarkTextLength,
    description: 'The values as they were shown',
  }),
});
export type CommentMark = Static<typeof CommentMark>;

export const CommentInput = Type.Object({
  text,
  mentions: Type.Optional(mentions),
  threadId: Type.Optional(Type.String({ ...GivenId, description: 'To reply: the ID of the thread' })),
  widgetId: Type.Optional(
    Type.String({ ...GivenId, description: 'What it is about; omitted: the whole dashboard' }),
  ),
  mark: Type.Optional({ ...CommentMark, description: 'The value of the widget that it is about' }),
});
export type CommentInput = Static<typeof CommentInput>;

export const CommentEdit = Type.Object({
  text: Type.Optional(text),
  mentions: Type.Optional({ ...mentions, description: 'The full list; only with `text`' }),
  resolved: Type.Optional(Type.Boolean({ description: 'Resolves or reopens the thread' })),
});
export type CommentEdit = Static<typeof CommentEdit>;

export const Comment = Type.Object({
  id: Id,
  userId: Id,
  userName: Type.String(),
  text: Type.String({ description: 'Empty if the comment was deleted' }),
  mentions: Type.Array(EditingPerson, { description: 'The people that it mentions' }),
  createdAt: Timestamp,
  editedAt: Type.Optional(Timestamp),
  deletedAt: Type.Optional({ ...Timestamp, description: 'Its first comment stays while it has replies' }),
});
export type Comment = Static<typeof Comment>;

export const CommentThread = Type.Object({
  id: Id,
  version: Type.Integer({ description: 'The version of the dashboard that it was written about' }),
  widgetId: Type.Optional(Type.String({ description: 'Its widget, which may have been removed since' })),
  mark: Type.Optional({ ...CommentMark, description: 'The value of the widget' }),
  resolvedAt: Type.Optional(Timestamp),
  resolvedByName: Type.Optional(Type.String({ description: 'The name of the person who did it' })),
  comments: Type.Array(Comment, { description: 'The oldest first; the others reply to it' }),
});
export type CommentThread = Static<typeof CommentThread>;

const base = { tag: 'Comments', access: 'session' } as const;
const path = '/api/dashboards/{dashboardId}/comments';
const onePath = '/api/dashboards/{dashboardId}/comments/{commentId}';
const oneParams = Type.Object({ ...DashboardParams.properties, commentId: Type.String() });

export const listComments = defineRoute({
  ...base,
  id: 'listComments',
  summary: 'List the threads of comments on a dashboard',
  description: 'The newest first.',
  method: 'GET',
  path,
  params: DashboardParams,
  query: Type.Object({
    ...PageQuery,
    state: Type.Optional(Type.Enum(['open', 'resolved'], { description: 'Omitted: all' })),
    'comment-id': Type.Optional(Type.String({ ...GivenId, description: 'Only the thread of this comment' })),
  }),
  status: 200,
  reply: page(CommentThread),
  problems: ['not_found'],
});

export const createComment = defineRoute({
  ...base,
  id: 'createComment',
  summary: 'Comment on a dashboard, a widget or a value, or reply',
  description:
    'For everyone who may view the dashboard. Returns the thread. People who are mentioned and the others in the thread get an ' +
    'email, if the server can send it.',
  method: 'POST',
  path,
  params: DashboardParams,
  headers: IdempotencyKey,
  body: CommentInput,
  status: 201,
  reply: CommentThread,
  problems: ['not_found', 'too_many_comments', 'too_many_attempts', ...idempotencyProblems],
});

export const changeComment = defineRoute({
  ...base,
  id: 'changeComment',
  summary: 'Edit your comment, or resolve or reopen its thread',
  description: 'Everyone who may view the dashboard can resolve and reopen threads.',
  method: 'PATCH',
  path: onePath,
  params: oneParams,
  body: CommentEdit,
  status: 200,
  reply: CommentThread,
  problems: ['forbidden', 'not_found', 'too_many_attempts'],
});

export const deleteComment = defineRoute({
  ...base,
  id: 'deleteComment',
  summary: 'Delete a comment',
  description: 'Your own, or any if you may edit the dashboard.',
  method: 'DELETE',
  path: onePath,
  params: oneParams,
  status: 204,
  problems: ['forbidden', 'not_found'],
});

export const listMentionable = defineRoute({
  ...base,
  id: 'listMentionable',
  summary: 'List people to mention',
  description: 'Up to 20 members who may view the dashboard, by name.',
  method: 'GET',
  path: '/api/dashboards/{dashboardId}/mentionable',
  params: DashboardParams,
  query: Type.Object({
    q: Type.Optional(Type.String({ maxLength: 100, description: 'The start of a word of their name' })),
  }),
  status: 200,
  reply: Type.Object({ items: Type.Array(EditingPerson) }),
  problems: ['not_found'],
});
