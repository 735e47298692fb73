import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Actor } from '../base/actor.ts';
import { hoursMs, timestamp, type Clock } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import { keyOfPerson } from '../base/tenant.ts';
import { parseJson } from '../base/texts/json.ts';
import { createBuckets } from '../http/limits/buckets.ts';
import { JsonText } from '../http/serve.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import {
  claimKey,
  deleteExpiredKeys,
  findResponse,
  storeResponse,
  type RequestKey,
  type StoredResponse,
} from './idempotency-store.ts';

const storedForMs = hoursMs(24);

/**
 * How many bytes of responses are stored for a person: this many at once, and a little every minute. No quota counts them, and they
 * stay when what was created is deleted permanently.
 */
const usualBytes = { capacity: 32 * 1024 ** 2, perMinute: 64 * 1024 };

/** The steps of a create. */
export interface Creation<Created, Body> {
  /** Checks that the actor may create the record, and stores it. */
  create(transaction: Transaction): Promise<Created>;
  /** Returns the body of the response, and sets headers on the reply. */
  respond(created: Created): Body | JsonText<Body>;
  /** Throws unless the actor may read what was created: otherwise the response is not sent again. */
  requireReadable(reader: Reader, id: string): Promise<unknown>;
  /** Whether the response has a secret, which is returned only once: then a repetition is refused, and names what was created. */
  readonly hasSecret?: boolean;
}

/** Runs a create in a transaction; if the request has an `Idempotency-Key`, only once. */
export type CreateOnce = <Created, Body extends { readonly id: string }>(
  reply: FastifyReply,
  actor: Actor,
  creation: Creation<Created, Body>,
) => Promise<Body | JsonText<Body>>;

/**
 * Returns a function that creates a record only once: with the header `Idempotency-Key`, the response is stored in the
 * transaction of the create, and for at least 24 hours the same request of the same user gets it again. So a client that doesn't
 * know whether a create was committed can repeat it. Throws `idempotency_key_reused` if the key was used for another
 * request, or if the response is not stored, and `idempotency_key_in_use` while the first request is running in this process; in another process, the
 * second waits for the first. Nothing is stored if a create fails.
 */
export function createIdempotency(
  database: Database,
  clock: Clock,
  storedBytes: { readonly capacity: number; readonly perMinute: number } = usualBytes,
): CreateOnce {
  const running = new Set<string>();
  const rooms = createBuckets({ clock, ...storedBytes });

  function toStored(
    { userId }: Actor,
    made: Pick<StoredResponse, 'etag' | 'body'>,
    { hasSecret }: { readonly hasSecret?: boolean },
  ): Pick<StoredResponse, 'etag' | 'body'> {
    if (hasSecret === true) return onlyId(made);
    return takeRoom(userId, Buffer.byteLength(made.body)) ? made : onlyId(made, { isLeftOut: true });
  }

  function takeRoom(userId: string, sizeBytes: number): boolean {
    const room = rooms.open(keyOfPerson(userId));
    if (room.left < sizeBytes) return false;
    rooms.use(room, sizeBytes);
    return true;
  }

  return async (reply, actor, creation) => {
    const { headers, method, url, body } = reply.request;
    const sent = headers['idempotency-key'];
    if (typeof sent !== 'string') return creation.respond(await database.write(creation.create));
    const key = { userId: actor.userId, keyHash: sha256(sent) };
    const fingerprint = sha256(JSON.stringify([method, url, body]));
    const id = `${key.userId} ${key.keyHash}`;
    if (running.has(id)) {
      throw new AtriumError(
        'idempotency_key_in_use',
        'The first request with this key is still running. Try again later.',
      );
    }
    running.add(id);
    try {
      const response = await database.write(async (transaction) => {
        if (!(await claimKey(transaction, { ...key, fingerprint, at: timestamp(clock()) })))
          return findAgain(transaction, key, fingerprint, creation);
        const created = creation.respond(await creation.create(transaction));
        const made = { etag: etagOn(reply), body: toText(reply, created) };
        await storeResponse(transaction, key, toStored(actor, made, creation));
        return made;
      });
      if (response.etag !== undefined) reply.header('etag', response.etag);
      return new JsonText(response.body);
    } catch (error) {
      // The record wasn't created, or it is unknown whether it was.
      reply.removeHeader('etag');
      throw error;
    } finally {
      running.delete(id);
    }
  };
}

/**
 * Deletes the responses that are too old to be sent again: those that were found to be old at least 24 hours ago. A single look at the
 * clock doesn't decide, because a key that was used while the clock was behind seems old as soon as the clock is corrected.
 */
export async function sweepIdempotencyKeys(database: Database, clock: Clock): Promise<void> {
  const now = clock();
  const times = { now: timestamp(now), oldBefore: timestamp(now - storedForMs) };
  await database.writeSlowly((transaction) => deleteExpiredKeys(transaction, times));
}

async function findAgain(
  transaction: Transaction,
  key: RequestKey,
  fingerprint: string,
  { requireReadable, hasSecret }: Pick<Creation<unknown, unknown>, 'requireReadable' | 'hasSecret'>,
): Promise<Pick<StoredResponse, 'etag' | 'body'>> {
  const stored = await findResponse(transaction, key);
  if (stored?.fingerprint !== fingerprint) {
    throw new AtriumError(
      'idempotency_key_reused',
      'This key was already used for a different request. Use a new key for each create.',
    );
  }
  // Sound because every stored body has an id.
  const { id, isLeftOut } = parseJson(stored.body) as { id: string; isLeftOut?: true };
  await requireReadable(transaction, id);
  if (hasSecret === true)
    throw new AtriumError(
      'idempotency_key_reused',
      `The first request with this key created ${id}. Its secret is returned only once: if you have lost it, replace it.`,
    );
  if (isLeftOut === true)
    throw new AtriumError(
      'idempotency_key_reused',
      `The first request with this key created ${id}. Its response was not stored, since you have many large ones: read ${id} instead.`,
    );
  return stored;
}

/** Returns a response with only the ID of what was created. `isLeftOut` is no member of what can be created. */
const onlyId = (
  { etag, body }: Pick<StoredResponse, 'etag' | 'body'>,
  mark: { readonly isLeftOut?: true } = {},
): Pick<StoredResponse, 'etag' | 'body'> => ({
  etag,
  body: JSON.stringify({ id: (parseJson(body) as { id: string }).id, ...mark }),
});

const sha256 = (text: string): string => hash('sha256', text, 'base64url');

const etagOn = (reply: FastifyReply): string | undefined => reply.getHeader('etag')?.toString();

/**
 * Serializes the body as the route does without a key. Sound because every route that creates something has a JSON
 * schema.
 */
const toText = (reply: FastifyReply, body: unknown): string =>
  body instanceof JsonText ? body.text : (reply.serialize(body) as string);
