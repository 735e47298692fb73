import type { VersionChange } from '#contract/history.ts';
import type { CurrentVersion } from './version-store.ts';

/** How the current version came to be, without its time, which is the record's `updatedAt`. */
type Making = Omit<CurrentVersion, 'id' | 'updatedAt'>;

/** The columns of a table of records for the current version. */
export interface VersionColumns {
  version: number;
  updatedBy: string;
  change: string;
  restoredFrom: number | null;
  saveHash: string | null;
}

/** Returns how a version came to be, as it is stored. */
export const toVersionColumns = (record: Making): VersionColumns => ({
  version: record.version,
  updatedBy: record.updatedBy,
  change: record.change,
  restoredFrom: record.restoredFrom ?? null,
  saveHash: record.saveHash ?? null,
});

/** Returns how a version came to be, from what is stored of it. */
export const fromVersionColumns = (row: VersionColumns): Making => ({
  version: row.version,
  updatedBy: row.updatedBy,
  // Sound because the columns hold only what `toVersionColumns` returned.
  change: row.change as VersionChange,
  restoredFrom: row.restoredFrom ?? undefined,
  saveHash: row.saveHash ?? undefined,
});
