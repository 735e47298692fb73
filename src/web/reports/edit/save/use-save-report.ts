import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { Report, ReportEdit } from '#contract/reports/reports.ts';
import { callForAnswer } from '../../../app/api.ts';
import { reportQuery } from '../../report-queries.ts';

/** A report as it is to be saved: a new one, or over the version that the edit began with. */
export type Saving =
  | { readonly orgId: string; readonly edit: ReportEdit }
  | { readonly reportId: string; readonly etag: string; readonly edit: ReportEdit };

export interface Saved {
  readonly report: Report;
  /** Whether what others saved meanwhile is in it. */
  readonly isMerged: boolean;
}

/** Saves reports, and has every page learn of it. */
export function useSaveReport(onSaved: (saved: Saved) => void): UseMutationResult<Saved, Error, Saving> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (saving) => {
      const { body, etag, isMerged } =
        'orgId' in saving
          ? await callForAnswer('POST /api/reports', {
              body: { organizationId: saving.orgId, ...saving.edit },
            })
          : await callForAnswer('PUT /api/reports/{reportId}', {
              params: { reportId: saving.reportId },
              headers: { 'if-match': saving.etag },
              body: saving.edit,
            });
      await client.invalidateQueries({ queryKey: ['reports'], refetchType: 'none' });
      client.setQueryData(reportQuery(body.id).queryKey, { report: body, etag });
      return { report: body, isMerged };
    },
    onSuccess: onSaved,
  });
}
