import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { CommentEdit, CommentInput, CommentThread } from '#contract/dashboards/comments.ts';
import { call } from '../../app/api.ts';

export interface CommentCalls {
  readonly write: UseMutationResult<CommentThread, Error, CommentInput>;
  readonly change: UseMutationResult<CommentThread, Error, CommentEdit & { readonly commentId: string }>;
  /** Gets the ID of the comment. */
  readonly remove: UseMutationResult<void, Error, string>;
}

/** Returns the calls that change the comments of a dashboard, after which they are loaded again. */
export function useCommentCalls(dashboardId: string): CommentCalls {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: ['comments', dashboardId] });
  const write = useMutation({
    mutationFn: (body: CommentInput) =>
      call('POST /api/dashboards/{dashboardId}/comments', { params: { dashboardId }, body }),
    onSettled,
  });
  const change = useMutation({
    mutationFn: ({ commentId, ...body }: CommentEdit & { readonly commentId: string }) =>
      call('PATCH /api/dashboards/{dashboardId}/comments/{commentId}', {
        params: { dashboardId, commentId },
        body,
      }),
    onSettled,
  });
  const remove = useMutation({
    mutationFn: (commentId: string) =>
      call('DELETE /api/dashboards/{dashboardId}/comments/{commentId}', {
        params: { dashboardId, commentId },
      }),
    onSettled,
  });
  return { write, change, remove };
}
