import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { CommandFailure, codeOf } from '../failure.ts';

/** The tokens of a server that a person has logged in to. */
export interface Login {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** When the access token expires, in milliseconds since 1970. */
  readonly expiresAt?: number;
}

/** The stored logins by the origins of their servers, and the server that is used if none is named. */
export interface Logins {
  readonly current?: string;
  readonly servers: Readonly<Record<string, Login>>;
}

const fileOf = (directory: string): string => join(directory, 'logins.json');

/**
 * Returns the stored logins; none if there is no file. Throws a `CommandFailure` if other users could read or have written it, or if
 * it is a link.
 */
export function readLogins(directory: string): Logins {
  const file = fileOf(directory);
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { servers: {} };
    throw new CommandFailure(`${file} can't be read: ${codeOf(error) ?? String(error)}.`, { cause: error });
  }
  try {
    const { mode, uid } = fstatSync(descriptor);
    const isForeign = process.getuid !== undefined && uid !== process.getuid();
    if (isForeign || (process.platform !== 'win32' && (mode & 0o077) !== 0))
      throw new CommandFailure(
        `Other users of this machine can read ${file}. Run chmod 600 on it, log in again, and revoke the old login.`,
      );
    return toLogins(readFileSync(descriptor, 'utf8'), file);
  } finally {
    closeSync(descriptor);
  }
}

function toLogins(text: string, file: string): Logins {
  try {
    const value = JSON.parse(text) as Logins;
    if (typeof value.servers === 'object') return value;
  } catch {
    // Reported below, without the text, which contains tokens.
  }
  throw new CommandFailure(`${file} is damaged. Delete it, and log in again.`);
}

/** Returns the login of a server; undefined if there is none. */
export const findLogin = ({ servers }: Logins, origin: string): Login | undefined =>
  Object.hasOwn(servers, origin) ? servers[origin] : undefined;

/** Stores the login of a server beside the others; undefined removes it. The last one is used if no server is named. */
export function writeLogin(directory: string, origin: string, login: Login | undefined): void {
  const { current, servers } = readLogins(directory);
  const { [origin]: former, ...others } = servers;
  if (login !== undefined) {
    const isNew = former === undefined || current === undefined;
    return writeLogins(directory, {
      current: isNew ? origin : current,
      servers: { ...others, [origin]: login },
    });
  }
  const next = current === origin ? Object.keys(others)[0] : current;
  writeLogins(directory, { ...(next !== undefined && { current: next }), servers: others });
}

/** Stores logins so that only the user can read them. */
export function writeLogins(directory: string, logins: Logins): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  const unfinished = `${fileOf(directory)}.${process.pid}.new`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(unfinished, fileOf(directory));
}
