import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { Report, ReportEdit } from '#contract/reports/reports.ts';
import { callWithEtag } from '../../../app/api.ts';
import { reportQuery } from '../../queries.ts';

/** A report to save: a new one, or a change to the version that the edit started from. */
export type Saving =
  | { readonly orgId: string; readonly folderId: string | undefined; readonly edit: ReportEdit }
  | { readonly reportId: string; readonly etag: string; readonly edit: ReportEdit };

export interface Saved {
  readonly report: Report;
  /** Whether it contains changes that others saved in the meantime. */
  readonly isMerged: boolean;
}

/** Saves reports, and updates the cached queries of other pages. */
export function useSaveReport(onSaved: (saved: Saved) => void): UseMutationResult<Saved, Error, Saving> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (saving) => {
      const { body, etag, isMerged } =
        'orgId' in saving
          ? await create(saving)
          : await callWithEtag('PUT /api/reports/{reportId}', {
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

const create = ({ orgId, folderId, edit }: Extract<Saving, { readonly orgId: string }>) =>
  folderId === undefined
    ? callWithEtag('POST /api/reports', { body: { organizationId: orgId, ...edit } })
    : callWithEtag('POST /api/folders/{folderId}/reports', { params: { folderId }, body: edit });
