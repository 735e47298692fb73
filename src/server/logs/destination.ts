import { writeSync } from 'node:fs';
import { logLine } from './line.ts';

/**
 * The destination of log lines. Lines that can't be written are dropped: the server continues to run, and the log later
 * reports how many.
 */
export interface LogDestination {
  /** Never throws. */
  write(text: string): void;
  /** How many dropped lines the log hasn't mentioned yet. */
  droppedCount(): number;
}

/** Writes some of the bytes, and returns how many. */
export type WriteBytes = (bytes: Uint8Array) => number;

/** How much is buffered for a slow reader; more is dropped. */
const maxWaitingBytes = 1024 * 1024;
const retryMs = 50;
const lineEnd = 0x0a;

/**
 * Returns a destination that writes to standard output and drops lines that a full disk or a closed pipe doesn't
 * accept. pino's own destination raises an unhandled error instead, and retries forever at exit.
 */
export function createLogDestination(
  writeBytes: WriteBytes = (bytes) => writeSync(1, bytes),
): LogDestination {
  let waiting: Uint8Array = new Uint8Array();
  let droppedCount = 0;
  /** Whether only part of the last line was written. */
  let isTorn = false;
  let retry: NodeJS.Timeout | undefined;

  function write(text: string): void {
    if (waiting.length === 0 && droppedCount === 0) writeLines(Buffer.from(text), 1);
    else if (waiting.length + text.length > maxWaitingBytes) droppedCount += 1;
    else if (waiting.length > 0) waiting = Buffer.concat([waiting, Buffer.from(text)]);
    else {
      const mentionedCount = droppedCount;
      droppedCount = 0;
      // Written together, so that a disk that is still full drops both.
      writeLines(Buffer.from(droppedLine(mentionedCount) + text), mentionedCount + 1);
    }
  }

  /** Writes text that counts as `lineCount` lines: that many are dropped if the device refuses it. */
  function writeLines(bytes: Uint8Array, lineCount: number): void {
    let rest = isTorn ? Buffer.concat([Buffer.of(lineEnd), bytes]) : bytes;
    try {
      while (rest.length > 0) {
        const written = writeBytes(rest);
        if (written > 0) isTorn = rest[written - 1] !== lineEnd;
        rest = rest.subarray(written);
      }
    } catch (error) {
      if (isBusy(error)) wait(rest);
      else droppedCount += lineCount;
    }
  }

  function wait(rest: Uint8Array): void {
    waiting = rest;
    // The rest continues in the middle of a line.
    isTorn = false;
    retry ??= setTimeout(() => {
      retry = undefined;
      const lines = waiting;
      waiting = new Uint8Array();
      writeLines(lines, lines.filter((byte) => byte === lineEnd).length);
    }, retryMs).unref();
  }

  return { write, droppedCount: () => droppedCount };
}

/** Whether a pipe is full; its reader may continue. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY');

const droppedLine = (droppedCount: number): string =>
  logLine('warn', { droppedCount }, 'Log lines were dropped because they could not be written');
