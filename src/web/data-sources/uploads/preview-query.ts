import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ChosenOptions } from '#contract/data-sources/imports.ts';
import { call } from '../../app/api.ts';

/** What importing an upload with some options would create. While it is read with others, the last one stays. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- its type is the query's, with its key.
export const previewQuery = (uploadId: string, options: ChosenOptions) =>
  queryOptions({
    queryKey: ['uploads', uploadId, options],
    queryFn: ({ signal }) =>
      call('POST /api/uploads/{uploadId}/preview', { params: { uploadId }, body: { options }, signal }),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: Infinity,
  });
