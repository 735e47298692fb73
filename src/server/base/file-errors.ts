import { AtriumError, codeOf } from './errors.ts';

/**
 * What to say about each error of the system when a file can't be opened, made, written, renamed or removed. The paths are only in
 * the log: they are of no use to the person, and reveal ids of others.
 */
export const fileErrors: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk of the server is full. Try again later, or ask the operator to free up space.',
  EDQUOT: 'The disk quota of the server is used up. Try again later, or ask the operator to free up space.',
  EFBIG: 'The disk of the server doesn’t take a file of this size. Ask the operator to look at the log.',
  EROFS: 'The disk of the server is read-only. Ask the operator to make it writable.',
  EACCES: 'The server may not access one of its files. Ask the operator to correct the permissions.',
  EPERM: 'The server may not access one of its files. Ask the operator to correct the permissions.',
  EIO: 'The disk of the server has a fault. Ask the operator to look at the log.',
  ENXIO: 'The disk of the server is not there. Ask the operator to look at the log.',
  ENODEV: 'The disk of the server is not there. Ask the operator to look at the log.',
  ESTALE: 'The server lost the connection to its file server. Try again in a moment.',
  ETIMEDOUT: 'The file server of the server does not respond. Try again in a moment.',
  EMFILE: 'The server has too many files open. Try again in a moment.',
  ENFILE: 'The server’s machine has too many files open. Try again in a moment.',
  ENOMEM: 'The server’s machine is out of memory. Try again in a moment.',
  EAGAIN: 'The disk of the server is busy. Try again in a moment.',
  EBUSY: 'One of the server’s files is in use. Try again in a moment.',
  ETXTBSY: 'One of the server’s files is in use. Try again in a moment.',
  ENOENT: 'One of the server’s files or directories is missing. Ask the operator to look at the log.',
  ENOTDIR: 'One of the server’s directories was replaced. Ask the operator to look at the log.',
  EISDIR: 'One of the server’s files was replaced. Ask the operator to look at the log.',
  ELOOP: 'One of the server’s directories is a link that leads nowhere. Ask the operator to look at the log.',
  ENAMETOOLONG: 'The path of the server’s data is too long. Ask the operator to choose a shorter one.',
  EEXIST: 'One of the server’s files is there already. Try again in a moment.',
  ENOTEMPTY: 'One of the server’s directories is not empty. Try again in a moment.',
  EXDEV: 'The server’s files are spread over several disks. Ask the operator to look at the log.',
  EMLINK: 'The disk of the server takes no more links. Ask the operator to look at the log.',
  ENOTSUP: 'The disk of the server can’t do what is needed. Ask the operator to look at the log.',
};

/** The calls of the system that concern files. Others, such as `connect`, have errors with the same codes. */
const fileCalls = new Set([
  'access',
  'chmod',
  'chown',
  'close',
  'copyfile',
  'fdatasync',
  'fstat',
  'fsync',
  'ftruncate',
  'futime',
  'link',
  'lstat',
  'mkdir',
  'mkdtemp',
  'open',
  'opendir',
  'read',
  'readlink',
  'realpath',
  'rename',
  'rm',
  'rmdir',
  'scandir',
  'stat',
  'statfs',
  'symlink',
  'unlink',
  'utime',
  'write',
]);

/** Returns `unavailable` in words for an error of the file system, or undefined for any other. */
export function findFileProblem(error: unknown): AtriumError | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !fileCalls.has(String(error.syscall)))
    return undefined;
  const detail = fileErrors[codeOf(error)];
  return detail === undefined ? undefined : new AtriumError('unavailable', detail, { cause: error });
}
