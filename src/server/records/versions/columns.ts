import type { VersionChange } from '#contract/history.ts';
import type { CurrentVersion } from './store.ts';

/** Who made the current version and how, without its time, which is the record's `updatedAt`. */
type VersionOrigin = Omit<CurrentVersion, 'id' | 'updatedAt'>;

/** The columns in a table of records that describe the current version. */
export interface VersionColumns {
  version: number;
  updatedBy: string;
  change: string;
  restoredFrom: number | null;
  saveHash: string | null;
}

/** Returns the columns that describe the current version of a record. */
export const toVersionColumns = (record: VersionOrigin): VersionColumns => ({
  version: record.version,
  updatedBy: record.updatedBy,
  change: record.change,
  restoredFrom: record.restoredFrom ?? null,
  saveHash: record.saveHash ?? null,
});

/** Returns who made the current version and how, from its columns. */
export const fromVersionColumns = (row: VersionColumns): VersionOrigin => ({
  version: row.version,
  updatedBy: row.updatedBy,
  // Sound because the columns hold only what `toVersionColumns` returned.
  change: row.change as VersionChange,
  restoredFrom: row.restoredFrom ?? undefined,
  saveHash: row.saveHash ?? undefined,
});
