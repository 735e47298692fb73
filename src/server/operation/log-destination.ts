import { writeSync } from 'node:fs';

/** Where log lines go. A line that cannot be written is dropped: the server runs on, and the log says later how many. */
export interface LogDestination {
  /** Never throws. */
  write(text: string): void;
  /** How many lines were dropped and are not mentioned in the log yet. */
  droppedCount(): number;
}

/** Writes some of the bytes, and returns how many. */
export type WriteBytes = (bytes: Uint8Array) => number;

/** What waits for a reader that is slow; more is dropped. */
const maxWaitingBytes = 1024 * 1024;
const retryMs = 50;
const lineEnd = 0x0a;

/**
 * Returns a destination over standard output. Unlike pino's own, which raises an error that nobody handles, and at the
 * exit tries again for ever, it drops what a full disk or a closed pipe does not take.
 */
export function createLogDestination(
  writeBytes: WriteBytes = (bytes) => writeSync(1, bytes),
): LogDestination {
  let waiting: Uint8Array = new Uint8Array();
  let droppedCount = 0;
  /** The last line was written in part. */
  let isTorn = false;
  let retry: NodeJS.Timeout | undefined;

  function write(text: string): void {
    if (waiting.length === 0 && droppedCount === 0) writeLines(Buffer.from(text), 1);
    else if (waiting.length + text.length > maxWaitingBytes) droppedCount += 1;
    else if (waiting.length > 0) waiting = Buffer.concat([waiting, Buffer.from(text)]);
    else {
      const mentionedCount = droppedCount;
      droppedCount = 0;
      // Both or none: a disk that is still full takes neither.
      writeLines(Buffer.from(droppedLine(mentionedCount) + text), mentionedCount + 1);
    }
  }

  /** Writes whole lines, which stand for `lineCount` lines: as many are dropped when the device refuses. */
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
    // The rest goes on in the middle of the line.
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

/** A pipe that is full, whose reader may go on. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY');

/** A line as pino writes it, at the level `warn`. */
const droppedLine = (count: number): string =>
  `${JSON.stringify({
    level: 40,
    time: Date.now(),
    droppedCount: count,
    msg: 'Log lines were dropped because they could not be written',
  })}\n`;
