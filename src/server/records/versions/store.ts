import type { RecordVersion, VersionChange } from '#contract/records/history.ts';
import { type FirstRows, mapRows } from '../../base/paging.ts';
import { parseJson } from '../../base/texts/json.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare, type Sql } from '../../storage/prepared-query.ts';

/** The tables of past versions, one for each kind of record; all have the same columns. */
export type VersionTable = 'dashboard_versions' | 'report_versions';

/** The current version of a record, with who made it, when and how. */
export interface CurrentVersion {
  readonly id: string;
  readonly version: number;
  readonly updatedBy: string;
  readonly updatedAt: string;
  readonly change: VersionChange;
  readonly restoredFrom: number | undefined;
  readonly saveHash: string | undefined;
}

/** A past version, stored as a delta from the one after it or whole. */
export interface VersionStep {
  readonly version: number;
  /** The user who made it. */
  readonly userId: string;
  /** A hash of the request that made it. */
  readonly saveHash: string | undefined;
  readonly delta: unknown;
  readonly content: unknown;
}

interface StepRange {
  readonly recordId: string;
  readonly from: number;
  readonly before: number;
  readonly limit: number;
}

export interface VersionStore {
  /** Stores a version that another one replaces, either whole or as a delta from that one. */
  insert(
    transaction: Transaction,
    record: CurrentVersion,
    stored: { readonly delta: string } | { readonly content: string },
  ): Promise<void>;
  /** Returns the first past versions before `before`, newest first. */
  selectHeads(
    reader: Reader,
    range: { recordId: string; before: number; limit: number },
  ): Promise<FirstRows<RecordVersion>>;
  /** Returns up to `limit` versions from `from` on, oldest first, up to a whole one or the one just before `before`. */
  selectSteps(reader: Reader, range: StepRange): Promise<VersionStep[]>;
  /** Returns whether a save made a past version after `from`. */
  hasSave(
    reader: Reader,
    save: { recordId: string; from: number; userId: string; saveHash: string },
  ): Promise<boolean>;
}

interface VersionRow {
  recordId: string;
  version: number;
  userId: string;
  at: string;
  change: string;
  restoredFrom: number | null;
  saveHash: string | null;
  delta: string | null;
  content: string | null;
}

const userName = prepare((db, p: { userId: string }) =>
  db.selectFrom('users').select('name').where('id', '=', p.userId),
);

/** Returns the queries of one of these tables. */
export function versionStore(table: VersionTable): VersionStore {
  const insert = prepare((db, p: VersionRow) =>
    db.insertInto(table).values({
      record_id: p.recordId,
      version: p.version,
      user_id: p.userId,
      at: p.at,
      change: p.change,
      restored_from: p.restoredFrom,
      save_hash: p.saveHash,
      delta: p.delta,
      content: p.content,
    }),
  );

  const heads = prepare((db, p: { recordId: string; before: number; limit: number }) =>
    db
      .selectFrom(table)
      .leftJoin('users', 'users.id', `${table}.user_id`)
      .select([
        `${table}.version`,
        `${table}.user_id as userId`,
        'users.name as userName',
        `${table}.at`,
        `${table}.change`,
        `${table}.restored_from as restoredFrom`,
      ])
      .where('record_id', '=', p.recordId)
      .where('version', '<', p.before)
      .orderBy('version', 'desc')
      .limit(p.limit),
  );

  /** Versions after a whole one aren't needed, and could be many and large. */
  const firstWhole = (db: Sql, p: StepRange) =>
    db
      .selectFrom(table)
      .select('version')
      .where('record_id', '=', p.recordId)
      .where('version', '>=', p.from)
      .where('content', 'is not', null)
      .orderBy('version')
      .limit(1);

  const steps = prepare((db, p: StepRange) =>
    db
      .selectFrom(table)
      .select(['version', 'user_id as userId', 'save_hash as saveHash', 'delta', 'content'])
      .where('record_id', '=', p.recordId)
      .where('version', '>=', p.from)
      .where('version', '<', p.before)
      .where((where) => where('version', '<=', where.fn.coalesce(firstWhole(db, p), where.val(p.before))))
      .orderBy('version')
      .limit(p.limit),
  );

  const saves = prepare((db, p: { recordId: string; from: number; userId: string; saveHash: string }) =>
    db
      .selectFrom(table)
      .select('version')
      .where('record_id', '=', p.recordId)
      .where('version', '>', p.from)
      .where('user_id', '=', p.userId)
      .where('save_hash', '=', p.saveHash)
      .limit(1),
  );

  return {
    async insert(transaction, record, stored) {
      await transaction.run(insert, {
        recordId: record.id,
        version: record.version,
        userId: record.updatedBy,
        at: record.updatedAt,
        change: record.change,
        restoredFrom: record.restoredFrom ?? null,
        saveHash: record.saveHash ?? null,
        delta: 'delta' in stored ? stored.delta : null,
        content: 'content' in stored ? stored.content : null,
      });
    },
    async selectHeads(reader, range) {
      const rows = await reader.page(heads, range);
      return mapRows(rows, ({ userName: name, restoredFrom, change, ...row }) => ({
        ...row,
        userName: name ?? '',
        // Sound because `insert` writes the column.
        change: change as VersionChange,
        ...(restoredFrom !== null && { restoredFrom }),
      }));
    },
    async selectSteps(reader, range) {
      const rows = await reader.all(steps, range);
      return rows.map(({ version, userId, saveHash, delta, content }) => ({
        version,
        userId,
        saveHash: saveHash ?? undefined,
        delta: delta === null ? undefined : parseJson(delta),
        content: content === null ? undefined : parseJson(content),
      }));
    },
    async hasSave(reader, save) {
      return (await reader.first(saves, save)) !== undefined;
    },
  };
}

/** Returns the name of a user; empty if the user no longer exists. */
export const findUserName = async (reader: Reader, userId: string): Promise<string> =>
  (await reader.first(userName, { userId }))?.name ?? '';
