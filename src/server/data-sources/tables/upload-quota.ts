import { AtriumError } from '../../base/errors.ts';
import type { Reader } from '../../storage/database.ts';
import { sumOtherTables } from './table-store.ts';

/** What limits the files of an organization: those of its tables, and those that are about to be tables. */
export interface UploadLimits {
  readonly slots: UploadSlots;
  /** What the files of an organization may take on disk in all. */
  readonly maxOrganizationBytes: number;
}

/** The table that an upload makes or replaces. */
interface UploadedTable {
  readonly organizationId: string;
  readonly dataSourceId: string;
  readonly name: string;
}

/** Returns how many bytes the organization has left beside its other tables. It is negative when they take more. */
export async function findRoom(
  { maxOrganizationBytes }: Pick<UploadLimits, 'maxOrganizationBytes'>,
  reader: Reader,
  table: UploadedTable,
): Promise<number> {
  return maxOrganizationBytes - (await sumOtherTables(reader, table));
}

/** Returns the problem of an organization whose files would take too much. */
export function noRoom({ maxOrganizationBytes }: Pick<UploadLimits, 'maxOrganizationBytes'>): AtriumError {
  const megabytes = Math.round(maxOrganizationBytes / 1024 ** 2);
  return new AtriumError(
    'body_too_large',
    `The tables of the organization, with the files being uploaded, may take ${megabytes} MiB in all: delete tables that you no longer need.`,
  );
}

/** The temporary files of one upload. They count until it has ended. */
export interface UploadSpace {
  /** Adds to the size of these files. */
  add(bytes: number): void;
  /** Returns the size of the temporary files of all uploads of the organization. */
  total(): number;
  /** The same without this one. */
  others(): number;
}

/** How many files an organization uploads at once, and their size until they are tables. */
export interface UploadSlots {
  /** Throws `too_many_attempts` when all are taken. */
  use<Result>(organizationId: string, work: (space: UploadSpace) => Promise<Result>): Promise<Result>;
}

export function createUploadSlots(count = 4): UploadSlots {
  /** The bytes of each upload under way, by organization. */
  const taken = new Map<string, { bytes: number }[]>();
  return {
    async use(organizationId, work) {
      const uploads = taken.get(organizationId) ?? [];
      if (uploads.length >= count) {
        const words = `${count} files of the organization are being uploaded already. Try again when one is done.`;
        throw new AtriumError('too_many_attempts', words);
      }
      taken.set(organizationId, uploads);
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
        if (uploads.length === 0) taken.delete(organizationId);
      }
    },
  };
}
