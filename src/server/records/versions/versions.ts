import type { ContentChange, RecordVersion } from '#contract/records/history.ts';
import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { notFound } from '../../base/errors.ts';
import type { Page, PageRequest } from '../../base/paging.ts';
import type { Database, Reader, Transaction } from '../../storage/database.ts';
import { requireRecord, requireRecordToChange } from '../access.ts';
import type { Contribution } from './contribution.ts';
import { requireExpected, type ExpectedVersion } from './expected.ts';
import type { Current, History } from './history.ts';
import { currentOf, type RecordKind } from '../kind.ts';
import { withProposers } from './proposers.ts';
import type { StoredRecord } from '../record.ts';

/** Lists the versions of a record, newest first, including the current one. Requires permission to edit the record. */
export async function listVersions<Content extends object, Stored extends StoredRecord>(
  reader: Reader,
  actor: Actor,
  kind: RecordKind<Content, Stored>,
  id: string,
  page: PageRequest,
): Promise<Page<RecordVersion>> {
  const found = await kind.history.list(reader, await requireRecord(reader, actor, kind, id, 'edit'), page);
  return { ...found, items: await withProposers(reader, { kind: kind.name, recordId: id }, found.items) };
}

/** Returns a version of a record. Requires permission to edit the record. Throws `not_found`. */
export async function getVersion<Content extends object, Stored extends StoredRecord>(
  reader: Reader,
  actor: Actor,
  kind: RecordKind<Content, Stored>,
  { id, version }: { readonly id: string; readonly version: number },
): Promise<RecordVersion & Content> {
  const current = currentOf(kind, await requireRecord(reader, actor, kind, id, 'edit'));
  const content = await requireContent(reader, kind, current, version);
  const head = await kind.history.findHead(reader, current, version);
  if (head === undefined) throw notFound();
  const [proposed = head] = await withProposers(reader, { kind: kind.name, recordId: id }, [head]);
  return { ...proposed, ...content };
}

/** Creates a version with the content of an old one. Throws `unknown_version`, and `invalid_body` if it is no longer valid. */
export function restoreVersion<Content extends object, Stored extends StoredRecord>(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  actor: Actor,
  kind: RecordKind<Content, Stored>,
  input: { readonly id: string; readonly version: number; readonly expected: ExpectedVersion },
): Promise<Stored> {
  const { id, version, expected } = input;
  return database.write(async (transaction) => {
    const current = currentOf(
      kind,
      await requireRecordToChange(transaction, actor, kind, { id, needed: 'edit' }),
    );
    requireExpected(expected, current.version);
    const content = await requireContent(transaction, kind, current, version);
    if (version === current.version) return current;
    await kind.requireValid?.(transaction, current, {
      content,
      before: current.content,
      known: content,
      userId: actor.userId,
    });
    return storeVersion(transaction, kind, current, content, {
      updatedBy: actor.userId,
      updatedAt: timestamp(clock()),
      change: 'restored',
      restoredFrom: version,
    });
  });
}

/** Lists what changed from one version of a record to another, or to the current one without `to`. */
export async function compareVersions<Content extends object, Stored extends StoredRecord>(
  reader: Reader,
  actor: Actor,
  kind: RecordKind<Content, Stored>,
  input: { readonly id: string; readonly from: number; readonly to: number | undefined },
): Promise<ContentChange[]> {
  const current = currentOf(kind, await requireRecord(reader, actor, kind, input.id, 'edit'));
  const from = await requireContent(reader, kind, current, input.from);
  const to = await requireContent(reader, kind, current, input.to ?? current.version);
  return kind.describeChanges(from, to);
}

async function requireContent<Content extends object>(
  reader: Reader,
  { history }: { readonly history: History<Content> },
  current: Current<Content>,
  version: number,
): Promise<Content> {
  const content = await history.findContent(reader, current, version);
  if (content === undefined) throw notFound();
  return content;
}

/** Who made a version, when and how. */
interface VersionOrigin extends Pick<StoredRecord, 'updatedBy' | 'updatedAt' | 'change'> {
  readonly restoredFrom?: number;
  readonly saveHash?: string;
  /** The new owner, if the version changes the owner. */
  readonly userId?: string;
}

/** What is attributed to whom, if not all that changed to the user who saves the version. */
type Attribution<Content> = Partial<Contribution<Content>>;

/** Stores a new version, and moves the one before into the history. */
export async function storeVersion<Content extends object, Stored extends StoredRecord>(
  transaction: Transaction,
  kind: RecordKind<Content, Stored>,
  before: Stored & Current<Content>,
  content: Content,
  origin: VersionOrigin,
  attribution: Attribution<Content> = {},
): Promise<Stored> {
  const version = before.version + 1;
  const { updatedBy } = origin;
  const contribution = { userIds: [updatedBy], ...attribution };
  const stored = {
    ...kind.build(before, content),
    ...kind.attribute?.(before, content, { updatedBy, contribution }),
    restoredFrom: undefined,
    saveHash: undefined,
    ...origin,
    version,
  };
  // First, since it makes sure that there is room.
  await kind.update(transaction, stored);
  await kind.history.store(transaction, before, content);
  await kind.onChange(transaction, stored, { isRenamed: stored.name !== before.name });
  return stored;
}
