import { createHash } from 'node:crypto';
import type { AccessRow, AuditRow } from './rows.ts';

/** Before the first entry of a chain. */
export const firstHash = '0'.repeat(64);

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** Returns the hash of an entry: of that of the entry before, a line break, and what it says. */
export const chainedHash = (previousHash: string, content: string): string =>
  sha256(`${previousHash}\n${content}`);

/**
 * Returns the hash by which the chain knows the details of an entry of the audit log. Since they can have addresses, the chain
 * only has this: without the random salt, nobody can guess them by their hash.
 */
export const hashOfDetails = (salt: string, details: string): string => sha256(`${salt}\n${details}`);

/** Returns what an entry of the audit log says, in the form of RFC 8785: sorted members, no spaces. */
export const auditContent = (row: AuditRow, sequence: number, detailsHash: string): string =>
  canonical({
    action: row.action,
    actorId: row.actorId,
    at: row.at,
    detailsHash,
    id: row.id,
    log: 'audit',
    organizationId: row.organizationId,
    sequence,
    sessionId: row.sessionId,
  });

/** The same for the data-access log, which has only IDs. */
export const accessContent = (row: AccessRow, sequence: number): string =>
  canonical({
    action: row.action,
    actorId: row.actorId,
    at: row.at,
    count: row.count,
    details: row.details,
    id: row.id,
    lastAt: row.lastAt,
    linkId: row.linkId,
    log: 'access',
    organizationId: row.organizationId,
    sequence,
    subjectId: row.subjectId,
    tokenId: row.tokenId,
  });

/** Sound for texts, integers and null: JavaScript writes them as RFC 8785 does. */
const canonical = (members: Readonly<Record<string, string | number | null>>): string =>
  JSON.stringify(members, Object.keys(members).toSorted());
