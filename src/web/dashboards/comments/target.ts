import { createContext } from 'react';
import type { CommentMark } from '#contract/dashboards/comments.ts';

/** What a new comment is about: a widget, or a value of it. */
export interface CommentTarget {
  readonly widgetId: string;
  readonly title: string;
  readonly mark?: CommentMark;
}

/** Opens the comments of the dashboard to write about something. */
export const WriteComment = createContext<(target: CommentTarget) => void>(() => {});
