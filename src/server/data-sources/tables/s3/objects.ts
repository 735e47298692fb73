import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { CompletedPart } from '@aws-sdk/client-s3';
import type { FileFacts } from '../../../storage/file-facts.ts';
import { StorageError, toStorageError } from './errors.ts';

/** Where the objects are. */
export interface ObjectPlace {
  readonly bucket: string;
  /** Precedes the key of every object: empty, or a path that ends with a slash. */
  readonly prefix: string;
  /** The address of a server other than Amazon's. */
  readonly endpoint?: string | undefined;
  /** If undefined, the SDK looks for it in its files, and other servers get the one that most of them expect. */
  readonly region?: string | undefined;
}

export interface ObjectLimits {
  readonly connectMs: number;
  /** How long a transfer may pause. */
  readonly idleMs: number;
  /** The slowest transfer. It gets `idleMs` in addition. */
  readonly minBytesPerSecond: number;
  /** Larger files are sent in parts of this size. Amazon's minimum is 5 MiB, and its maximum are 10,000 parts. */
  readonly partBytes: number;
}

export const defaultObjectLimits: ObjectLimits = {
  connectMs: 3_000,
  idleMs: 20_000,
  minBytesPerSecond: 1024 ** 2,
  partBytes: 64 * 1024 ** 2,
};

/** The objects of a bucket below a prefix. All methods reject with `StorageError`. */
export interface Objects {
  /** The address without the prefix, for messages. */
  readonly place: ObjectPlace;
  /** Stores a file. Resolves when the server has confirmed it. */
  put(key: string, path: string, facts: FileFacts): Promise<void>;
  /** Starts to read an object. Its checksum is undefined if another program has stored it. */
  open(key: string, signal: AbortSignal): Promise<{ body: Readable; sizeBytes: number; sha256?: string }>;
  /** Returns a small object, or undefined if it doesn't exist. */
  readText(key: string): Promise<string | undefined>;
  writeText(key: string, text: string): Promise<void>;
  /** Deletes an object, if it exists. */
  remove(key: string): Promise<void>;
  list(prefix: string): AsyncGenerator<ListedObject>;
  /** Deletes the parts of uploads that started before a time and were never completed. */
  abortUploads(before: number): Promise<void>;
  close(): void;
}

export interface ListedObject {
  readonly key: string;
  readonly modifiedAt: number;
}

const maxAttempts = 3;
const retryAfterMs = 200;
/** What fails is reported by the caller. By default, the SDK writes some errors to the console. */
const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

/**
 * Connects to a bucket with the credentials that the SDK finds: variables, a file of profiles, the role of the machine or
 * container. The SDK is loaded here, since most servers don't use it.
 */
export async function openObjects(place: ObjectPlace, limits = defaultObjectLimits): Promise<Objects> {
  const sdk = await import('@aws-sdk/client-s3');
  const { bucket: Bucket, prefix, endpoint, region } = place;
  const client = new sdk.S3Client({
    // Other servers rarely have a host name for each bucket.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true, region: 'us-east-1' }),
    ...(region !== undefined && { region }),
    maxAttempts,
    logger: silent,
    // Each request has its own Content-MD5 instead: not every server understands the SDK's checksums at the end of a body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: limits.connectMs, socketTimeout: limits.idleMs },
  });
  const target = (key: string) => ({ Bucket, Key: prefix + key });
  const within = (sizeBytes: number) => ({ abortSignal: AbortSignal.timeout(allowedMs(sizeBytes, limits)) });

  async function putInParts(key: string, path: string, { sizeBytes, sha256 }: FileFacts): Promise<void> {
    const start = new sdk.CreateMultipartUploadCommand({ ...target(key), Metadata: { sha256 } });
    const { UploadId } = await client.send(start, within(0));
    const parts: CompletedPart[] = [];
    try {
      for (let first = 0; first < sizeBytes; first += limits.partBytes) {
        const PartNumber = parts.length + 1;
        const range = { start: first, end: Math.min(first + limits.partBytes, sizeBytes) };
        const { ETag } = await sendRange(path, range, (body) =>
          client.send(
            new sdk.UploadPartCommand({ ...target(key), UploadId, PartNumber, ...body }),
            within(body.ContentLength),
          ),
        );
        parts.push({ PartNumber, ETag });
      }
      const complete = { ...target(key), UploadId, MultipartUpload: { Parts: parts } };
      await client.send(new sdk.CompleteMultipartUploadCommand(complete), within(sizeBytes));
    } catch (error) {
      // If this fails, too, the sweep deletes the parts.
      await client
        .send(new sdk.AbortMultipartUploadCommand({ ...target(key), UploadId }), within(0))
        .catch(() => undefined);
      throw error;
    }
  }

  async function* list(below: string): AsyncGenerator<ListedObject> {
    let ContinuationToken: string | undefined;
    do {
      const page = await client
        .send(new sdk.ListObjectsV2Command({ Bucket, Prefix: prefix + below, ContinuationToken }), within(0))
        .catch(rethrow);
      for (const { Key = '', LastModified } of page.Contents ?? [])
        yield { key: Key.slice(prefix.length), modifiedAt: LastModified?.getTime() ?? 0 };
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
  }

  async function abortUploads(before: number): Promise<void> {
    const { Uploads = [] } = await client.send(
      new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: prefix }),
      within(0),
    );
    for (const { Key, UploadId, Initiated } of Uploads) {
      if (Initiated !== undefined && Initiated.getTime() < before)
        await client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }), within(0));
    }
  }

  return {
    place,
    async put(key, path, facts) {
      if (facts.sizeBytes > limits.partBytes) return putInParts(key, path, facts).catch(rethrow);
      const { sizeBytes, sha256 } = facts;
      await sendRange(path, { start: 0, end: sizeBytes }, (body) =>
        client.send(
          new sdk.PutObjectCommand({ ...target(key), ...body, Metadata: { sha256 } }),
          within(sizeBytes),
        ),
      ).catch(rethrow);
    },
    async open(key, signal) {
      const stopped = AbortSignal.any([signal, within(0).abortSignal]);
      const { Body, ContentLength, Metadata } = await client
        .send(new sdk.GetObjectCommand(target(key)), { abortSignal: stopped })
        .catch(rethrow);
      if (Body === undefined || ContentLength === undefined)
        throw new StorageError('unreachable', 'The server sent an object without a length.');
      const sha256 = Metadata?.['sha256'];
      // Sound because the body is a Node stream in Node.
      return { body: Body as Readable, sizeBytes: ContentLength, ...(sha256 !== undefined && { sha256 }) };
    },
    async readText(key) {
      try {
        const { Body } = await client.send(new sdk.GetObjectCommand(target(key)), within(0));
        return await Body?.transformToString();
      } catch (error) {
        const found = toStorageError(error);
        if (found.fault === 'missing') return undefined;
        throw found;
      }
    },
    async writeText(key, text) {
      await client.send(new sdk.PutObjectCommand({ ...target(key), Body: text }), within(0)).catch(rethrow);
    },
    async remove(key) {
      await client.send(new sdk.DeleteObjectCommand(target(key)), within(0)).catch(rethrow);
    },
    list,
    abortUploads: (before) => abortUploads(before).catch(rethrow),
    close: () => client.destroy(),
  };
}

/** Returns how long a transfer may take. */
export const allowedMs = (sizeBytes: number, { idleMs, minBytesPerSecond }: ObjectLimits): number =>
  Math.ceil(idleMs + (sizeBytes / minBytesPerSecond) * 1_000);

interface Range {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

interface RangeBody {
  readonly Body: Readable;
  readonly ContentLength: number;
  readonly ContentMD5: string;
}

/** Sends a part of a file. Each attempt opens it again, since the SDK doesn't repeat a request with a stream. */
async function sendRange<Output>(
  path: string,
  { start, end }: Range,
  send: (body: RangeBody) => Promise<Output>,
): Promise<Output> {
  const read = () => createReadStream(path, { start, end: end - 1 });
  const hash = createHash('md5');
  for await (const chunk of read()) hash.update(chunk as Buffer);
  const ContentMD5 = hash.digest('base64');
  for (let attempt = 1; ; attempt += 1) {
    const body = read();
    try {
      const failed = once(body, 'error').then(([error]) => {
        throw error;
      });
      return await Promise.race([send({ Body: body, ContentLength: end - start, ContentMD5 }), failed]);
    } catch (error) {
      if (attempt === maxAttempts || toStorageError(error).fault !== 'unreachable') throw error;
      await delay(retryAfterMs * attempt);
    } finally {
      body.destroy();
    }
  }
}

function rethrow(error: unknown): never {
  throw toStorageError(error);
}
