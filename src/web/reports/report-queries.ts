import { queryOptions } from '@tanstack/react-query';
import { callForAnswer } from '../api.ts';

/** A report with the version that it is of, as the entity tag that a save is sent with. */
export const reportQuery = (reportId: string) =>
  queryOptions({
    queryKey: ['reports', reportId],
    queryFn: async ({ signal }) => {
      const { body, etag } = await callForAnswer('GET /api/reports/{reportId}', {
        params: { reportId },
        signal,
      });
      return { report: body, etag };
    },
  });
