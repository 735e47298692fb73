import type { Arguments, CommandUsage } from './usage/usage.ts';

/** What is around the process of a command. Tests replace it. */
export interface Place {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Contains the stored logins. */
  readonly configDirectory: string;
  readonly version: string;
  readonly fetch: typeof fetch;
  /** Returns the time in milliseconds since 1970. */
  now(): number;
  wait(durationMs: number): Promise<void>;
  /** Reads standard input to its end. */
  readInput(): Promise<Buffer>;
  /** Writes to standard output. */
  write(bytes: string | Uint8Array): Promise<void>;
  /** Writes a line to standard error. */
  warn(line: string): void;
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean;
  /** Asks a question that is answered with yes or no; absent if nobody can answer. */
  readonly confirm?: (question: string) => Promise<boolean>;
}

/** What a command prints on standard output. */
export interface Report {
  /** Empty if the command has written its output itself. */
  readonly text: string;
  /** The same as JSON, for `--json`. */
  readonly data: object;
  /** 1 if something is wrong, 3 if something differs or changed; by default, 0. */
  readonly exitCode?: 0 | 1 | 3;
}

/** Throws a `UsageError`, a `CommandFailure`, or an error of the client. */
export type Run = (place: Place, values: Arguments) => Promise<Report>;

/** A command that calls a server. Its code is loaded only to run it, so that every command starts fast. */
export interface RemoteCommand extends CommandUsage {
  readonly load: () => Promise<Run>;
}
