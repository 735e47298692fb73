import { newId } from '../base/ids.ts';
import type { Transaction } from '../storage/database.ts';
import type { RecordKind } from './kind.ts';
import type { NewPlace, StoredRecord } from './record.ts';

/** Stores a new record with version 1. */
export async function createRecord<Content extends object, Stored extends StoredRecord>(
  transaction: Transaction,
  { build, insert }: Pick<RecordKind<Content, Stored>, 'build' | 'insert'>,
  input: {
    readonly id?: string;
    readonly userId: string;
    readonly organizationId: string | undefined;
    readonly at: string;
    readonly change: 'created' | 'imported';
    readonly content: Content;
    readonly place?: NewPlace | undefined;
    /** What is stored besides the content. */
    readonly attributes?: Partial<Stored>;
  },
): Promise<Stored> {
  const { id = newId(), userId, organizationId, at, change, content, place = {}, attributes } = input;
  const head = { id, userId, organizationId, createdAt: at, updatedAt: at, updatedBy: userId, change };
  const stored = {
    ...build({ ...head, version: 1, restoredFrom: undefined, saveHash: undefined }, content),
    ...attributes,
  };
  await insert(transaction, stored, place);
  return stored;
}
