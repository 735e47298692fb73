import { eachPage } from '../base/paging.ts';
import { hoursMs, timestamp, type Clock } from '../base/clock.ts';
import { keyOfPerson } from '../base/tenant.ts';
import { dashboardKind } from '../dashboards/kind.ts';
import { removedDetails } from '../log-chain/rows.ts';
import type { Database } from '../storage/database.ts';
import {
  replaceDetails,
  selectBodies,
  selectDetails,
  selectOrganizationsKnowing,
  updateBody,
  type LoggedDetails,
  type SentBody,
} from './log-queries.ts';
import {
  deleteDeletion,
  deletePersonalRows,
  findPseudonym,
  lockPersonalDashboards,
  removeMentions,
  selectDeletions,
  updateForgotten,
  type Deletion,
} from './person-queries.ts';
import { jsonHasAddress, replaceInJson } from './whole-address.ts';

interface ForgetDependencies {
  readonly database: Database;
  readonly clock: Clock;
}

/** Requests that began before a deletion have ended by then. What they still stored is deleted, too. */
const lastRequestsMs = hoursMs(1);
const pageSize = 500;
const deletedPerTransaction = 20;

/** Continues what was interrupted, and deletes what requests stored that began before the deletion of an account. */
export async function forgetDeleted(dependencies: ForgetDependencies, stopped: AbortSignal): Promise<void> {
  for (const deletion of await selectDeletions(dependencies.database)) {
    if (stopped.aborted) return;
    await forgetPerson(dependencies, deletion);
  }
}

/**
 * Removes a person, whose account was deleted, from everything that others don't need: their personal dashboards, and the address
 * in the details of audit logs and in deliveries of webhooks.
 */
export async function forgetPerson(dependencies: ForgetDependencies, deletion: Deletion): Promise<void> {
  const { database, clock } = dependencies;
  const { userId } = deletion;
  const isLast = clock() - Date.parse(deletion.deletedAt) >= lastRequestsMs;
  if (deletion.forgottenAt !== null && !isLast) return;
  await deletePersonalDashboards(database, userId);
  if (deletion.forgottenAt === null) {
    // Someone else could have registered the address, to remove what the logs of organizations say that they were never in.
    const organizationIds =
      deletion.organizationId === null
        ? await selectOrganizationsKnowing(database, userId)
        : [deletion.organizationId];
    const person = {
      userId,
      organizationIds,
      email: deletion.email?.toLowerCase() ?? null,
      pseudonym: (await findPseudonym(database, userId)) ?? '',
    };
    if (organizationIds.length > 0) {
      await removeFromAuditLogs(database, person);
      await removeFromDeliveries(database, person);
    }
    await database.write(async (transaction) => {
      const { email } = person;
      if (email !== null && organizationIds.length > 0)
        await removeMentions(transaction, { ...person, email });
      await updateForgotten(transaction, { userId, at: timestamp(clock()) });
    });
  }
  if (!isLast) return;
  await database.write(async (transaction) => {
    await deletePersonalRows(transaction, userId);
    await deleteDeletion(transaction, userId);
  });
}

async function deletePersonalDashboards(database: Database, userId: string): Promise<void> {
  let count: number;
  do {
    count = await database.write(async (transaction) => {
      const ids = await lockPersonalDashboards(transaction, { userId, limit: deletedPerTransaction });
      for (const id of ids) {
        await dashboardKind.onChange(transaction, { id, organizationId: undefined }, { isRenamed: true });
        await dashboardKind.store.delete(transaction, id);
      }
      return ids.length;
    });
  } while (count === deletedPerTransaction);
}

interface Forgotten extends Pick<Deletion, 'userId' | 'email'> {
  /** Those that know the person, of which there is at least one. */
  readonly organizationIds: readonly string[];
  /** The address that replaces theirs. */
  readonly pseudonym: string;
}

async function removeFromAuditLogs(database: Database, person: Forgotten): Promise<void> {
  const { organizationIds } = person;
  const read = (last?: LoggedDetails) =>
    selectDetails(database, { organizationIds, after: last?.id ?? '', limit: pageSize });
  for await (const entries of eachPage(keyOfPerson(person.userId), read)) {
    const ids = entries.filter((entry) => namesPerson(entry, person)).map(({ id }) => id);
    if (ids.length > 0)
      await database.write((transaction) => replaceDetails(transaction, { ids, details: removedDetails }));
  }
}

/**
 * Whether the details of an entry have an address of the person: the last one, or an earlier one that a directory had sent. The ID
 * is a pseudonym, which stays.
 */
function namesPerson(
  { action, actorId, details }: LoggedDetails,
  { userId, email }: Pick<Deletion, 'userId' | 'email'>,
): boolean {
  if (email !== null && jsonHasAddress(details, email)) return true;
  const isAbout =
    details.includes(`"${userId}"`) ||
    (actorId === userId && /^(sign_in|account|sso\.account)\./.test(action));
  return isAbout && (details.includes('"email"') || action.startsWith('provisioning.'));
}

async function removeFromDeliveries(database: Database, person: Forgotten): Promise<void> {
  const { organizationIds } = person;
  const read = (last?: SentBody) =>
    selectBodies(database, { organizationIds, after: last?.id ?? '', limit: pageSize });
  for await (const deliveries of eachPage(keyOfPerson(person.userId), read)) {
    for (const sent of deliveries) {
      const body = withoutPerson(sent, person);
      if (body === sent.body) continue;
      await database.write((transaction) => updateBody(transaction, { id: sent.id, body }));
    }
  }
}

/** Entries of logs lose their details, since their hashes would no longer match others. */
function withoutPerson(
  { event, body }: SentBody,
  { userId, email, pseudonym }: Pick<Forgotten, 'userId' | 'email' | 'pseudonym'>,
): string {
  if (event === 'log.audit') {
    // Sound because the log chain wrote it.
    const sent = JSON.parse(body) as {
      data: { entries: (Omit<LoggedDetails, 'details'> & { details: object })[] };
    };
    let isChanged = false;
    const entries = sent.data.entries.map((entry) => {
      const details = JSON.stringify(entry.details);
      if (!namesPerson({ ...entry, details }, { userId, email })) return entry;
      isChanged = true;
      return { ...entry, details: JSON.parse(removedDetails) as object, detailsSalt: null };
    });
    return isChanged ? JSON.stringify({ ...sent, data: { ...sent.data, entries } }) : body;
  }
  const isAboutMember = event === 'member.joined' && body.includes(userId);
  const named = isAboutMember ? withoutName(body, userId, pseudonym) : body;
  return email === null ? named : replaceInJson(named, email, pseudonym);
}

function withoutName(body: string, userId: string, pseudonym: string): string {
  // Sound because the members of organizations are published so.
  const sent = JSON.parse(body) as { data: { member: { userId: string } } };
  const { member } = sent.data;
  if (member.userId !== userId) return body;
  return JSON.stringify({ ...sent, data: { ...sent.data, member: { ...member, name: pseudonym } } });
}
