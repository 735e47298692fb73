import type { Reader } from '../storage/database.ts';
import { selectReportsOver } from './use-store.ts';

const namedReports = 100;

/** Returns the reports over a data source, the first hundred by name, and how many there are; those in the trash left out. */
export const findReportsOver = (
  reader: Reader,
  { organizationId, id }: { readonly organizationId: string; readonly id: string },
): Promise<{ reports: { id: string; name: string }[]; reportCount: number }> =>
  selectReportsOver(reader, { organizationId, dataSourceId: id }, namedReports);
