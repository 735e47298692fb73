import type { VersionChange } from '#contract/history.ts';
import type { VersionInForce } from './version-store.ts';

/** How the version in force came to be, but for when: that is the record's own to tell. */
type Making = Omit<VersionInForce, 'id' | 'updatedAt'>;

/** The columns of a table of records that tell of the version in force. */
export interface VersionColumns {
  version: number;
  updatedBy: string;
  change: string;
  restoredFrom: number | null;
  saveHash: string | null;
}

/** Returns what is stored of how a version came to be. */
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
