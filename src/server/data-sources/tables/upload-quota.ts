import { AtriumError } from '../../base/errors.ts';
import type { LimitKey } from '../../base/tenant.ts';
import type { Reader } from '../../storage/database.ts';
import { sumUploads } from '../uploads/store.ts';
import { sumDeletedTables } from './trash-store.ts';
import { sumOtherTables } from './table-store.ts';

/** The limits on the files of an organization: those of its tables, and those being uploaded. */
export interface UploadLimits {
  readonly slots: UploadSlots;
  /** The maximum size of all files of an organization on disk. */
  readonly maxOrganizationBytes: number;
}

/** The table that an upload creates or replaces. */
interface UploadedTable {
  readonly organizationId: string;
  readonly dataSourceId: string;
  readonly name: string;
}

/** Returns how many bytes of the quota other tables and uploads leave for a table. Negative if they exceed the quota. */
export async function findRemainingBytes(
  { maxOrganizationBytes }: Pick<UploadLimits, 'maxOrganizationBytes'>,
  reader: Reader,
  table: UploadedTable,
): Promise<number> {
  const tableBytes = await sumOtherTables(reader, table);
  const deletedBytes = await sumDeletedTables(reader, table.organizationId);
  return maxOrganizationBytes - tableBytes - deletedBytes - (await sumUploads(reader, table.organizationId));
}

/** Returns the problem of an upload that would exceed the organization's quota. */
export function quotaExceeded({
  maxOrganizationBytes,
}: Pick<UploadLimits, 'maxOrganizationBytes'>): AtriumError {
  const megabytes = Math.round(maxOrganizationBytes / 1024 ** 2);
  return new AtriumError(
    'body_too_large',
    `The organization's tables and uploads can have up to ${megabytes} MiB in total. Delete tables that you no longer need, and delete them permanently in the trash.`,
  );
}

/** The temporary files of one upload. They count toward the quota until it ends. */
export interface UploadSpace {
  /** Adds to the size of its temporary files. */
  add(bytes: number): void;
  /** Returns the size of the temporary files of all uploads of the organization. */
  total(): number;
  /** Returns the size of the temporary files of all other uploads of the organization. */
  others(): number;
}

/** Limits how many files an organization uploads at once, and counts their size until they are tables. */
export interface UploadSlots {
  /** Throws `too_many_attempts` if all slots of the organization are taken. */
  use<Result>(key: LimitKey, work: (space: UploadSpace) => Promise<Result>): Promise<Result>;
}

export function createUploadSlots(count = 4): UploadSlots {
  /** The bytes of each upload in progress, by organization. */
  const taken = new Map<LimitKey, { bytes: number }[]>();
  return {
    async use(key, work) {
      const uploads = taken.get(key) ?? [];
      if (uploads.length >= count) {
        throw new AtriumError(
          'too_many_attempts',
          `The organization is already uploading ${count} files. Try again when one of them is done.`,
        );
      }
      taken.set(key, uploads);
      const own = { bytes: 0 };
      uploads.push(own);
      const total = (): number => uploads.reduce((sum, { bytes }) => sum + bytes, 0);
      try {
        return await work({
          add: (bytes) => {
            own.bytes += bytes;
          },
          total,
          others: () => total() - own.bytes,
        });
      } finally {
        uploads.splice(uploads.indexOf(own), 1);
        if (uploads.length === 0) taken.delete(key);
      }
    },
  };
}
