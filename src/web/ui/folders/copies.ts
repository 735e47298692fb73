import type { Report } from '#contract/reports/reports.ts';
import { call } from '../../app/api.ts';

/**
 * Returns the folder for a new report that contains the query of another one, or a part of it: if that is restricted, the personal
 * folder, so that nobody else reads it there; otherwise undefined, for none.
 */
export async function findFolderOfCopy({
  id: reportId,
  organizationId: orgId,
}: Pick<Report, 'id' | 'organizationId'>): Promise<string | undefined> {
  const { restricted } = await call('GET /api/reports/{reportId}/permissions', { params: { reportId } });
  if (!restricted) return undefined;
  return (await call('PUT /api/organizations/{orgId}/personal-folder', { params: { orgId } })).id;
}
