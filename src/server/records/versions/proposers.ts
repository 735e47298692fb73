import type { RecordVersion } from '#contract/records/history.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { insertProposer, selectProposers, type Proposer } from './proposer-store.ts';

/** A kind of record and one record of it. */
interface RecordKey {
  readonly kind: 'dashboard' | 'report';
  readonly recordId: string;
}

/** Records that a version, which another user stored, was proposed by someone. */
export async function recordProposer(
  transaction: Transaction,
  key: RecordKey & { readonly version: number },
  proposer: Proposer,
): Promise<void> {
  await insertProposer(transaction, key, proposer);
}

/** Returns versions of a record with the names of those who proposed them. */
export async function withProposers(
  reader: Reader,
  key: RecordKey,
  versions: readonly RecordVersion[],
): Promise<RecordVersion[]> {
  if (versions.length === 0) return [];
  const numbers = versions.map(({ version }) => version);
  const range = { from: Math.min(...numbers), to: Math.max(...numbers) };
  const proposers = await selectProposers(reader, { ...key, ...range });
  return versions.map((version) => {
    const proposedBy = proposers.get(version.version);
    return proposedBy === undefined ? version : { ...version, proposedBy };
  });
}
