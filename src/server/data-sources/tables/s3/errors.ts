import { codeOf } from '../../../base/errors.ts';

/**
 * `unreachable` may be over soon. `refused` is a fault of the settings or of the permissions. An object can be `missing` or
 * `damaged`. `full` means that the local disk, or the part of it that the cache may use, has no space left.
 */
export type StorageFault = 'unreachable' | 'refused' | 'missing' | 'damaged' | 'full';

/** Why an object could not be stored or read. The message is for the operator, and contains no secret. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly fault: StorageFault;

  constructor(fault: StorageFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.fault = fault;
  }
}

/** Whether the storage itself has a problem, rather than one object or the local disk. */
export const concernsStorage = ({ fault }: StorageError): boolean =>
  fault === 'unreachable' || fault === 'refused';

/** Client errors that are over when a request is repeated. */
const temporaryNames = ['RequestTimeout', 'TooManyRequests', 'SlowDown', 'OperationAborted'];

/** Returns an error of the SDK, of the network or of the local disk as a `StorageError`. */
export function toStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  if (error instanceof Error && error.name === 'AbortError')
    return error.cause instanceof StorageError
      ? error.cause
      : new StorageError('unreachable', 'A request took too long, or the server is stopping.', error);
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
  if (codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT')
    return new StorageError('full', `The disk is full: ${message}`, error);
  const status = statusOf(error);
  return new StorageError(
    faultOf(name, status),
    `${name}${status === undefined ? '' : ` (${status})`}: ${message}`,
    error,
  );
}

function faultOf(name: string, status: number | undefined): StorageFault {
  if (name === 'CredentialsProviderError') return 'refused';
  if (name === 'NoSuchKey' || name === 'NotFound') return 'missing';
  if (status === undefined || status >= 500 || status === 408 || status === 429) return 'unreachable';
  if (temporaryNames.includes(name)) return 'unreachable';
  // Below 300, the server responded with something that isn't a response of S3.
  return status >= 300 ? 'refused' : 'unreachable';
}

/** Sound because errors of the SDK that come from a response have this property. */
const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode;
