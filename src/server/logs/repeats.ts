import type { PinoLoggerOptions } from 'fastify/types/logger.js';
import { errorDetails, type ErrorDetails } from './line.ts';

/** Called by pino for each line that the level allows. */
type LogMethod = NonNullable<NonNullable<PinoLoggerOptions['hooks']>['logMethod']>;
type LineArguments = Parameters<LogMethod>[0];

/** The log that gets the counts. */
type CountLog = Readonly<Record<'warn' | 'error' | 'fatal', (details: object, message: string) => void>>;

/** Counts repeated warnings and errors instead of logging each of them. */
export interface Repeats {
  readonly logMethod: LogMethod;
  /** Sets the log that gets the counts. */
  reportTo(log: CountLog): void;
  /** Logs the counts that were not logged yet. */
  flush(): void;
}

/** A warning or error that was logged, and may be repeated. */
interface Known {
  readonly level: number;
  readonly message: string;
  /** What identifies it, as text. */
  readonly details: object;
  /** How often it was repeated since `since`. */
  count: number;
  since: number;
}

const warnLevel = 40;
const nameOf = (level: number): keyof CountLog => (level >= 60 ? 'fatal' : level >= 50 ? 'error' : 'warn');
/** How many different warnings and errors are remembered. */
const defaultMaxKnown = 500;
const defaultWindowMs = 60_000;

/**
 * Returns a hook for pino that logs a warning or an error at once, and counts those that equal it within a minute. The
 * count is logged after each minute, until a minute passes without one. Numbers, such as durations and ids, don't make a
 * difference.
 */
export function countRepeats({ windowMs = defaultWindowMs, maxKnown = defaultMaxKnown } = {}): Repeats {
  const known = new Map<string, Known>();
  let timer: NodeJS.Timeout | undefined;
  let countLog: CountLog | undefined;

  const logMethod: LogMethod = function (lineArguments, method, level) {
    if (level < warnLevel || isCount(lineArguments[0])) {
      method.apply(this, lineArguments);
      return;
    }
    const { message, details } = describe(lineArguments);
    const key = `${level} ${message} ${toText(details)}`;
    const found = known.get(key);
    if (found !== undefined) {
      found.count += 1;
      return;
    }
    if (known.size >= maxKnown) forgetOldest();
    known.set(key, { level, message, details, count: 0, since: performance.now() });
    timer ??= setInterval(check, windowMs / 6).unref();
    method.apply(this, lineArguments);
  };

  function check(): void {
    const now = performance.now();
    for (const [key, entry] of known) {
      if (now - entry.since < windowMs) continue;
      if (entry.count === 0) known.delete(key);
      else log(entry, now);
    }
    if (known.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function log(entry: Known, now = performance.now()): void {
    const { level, message, details, count, since } = entry;
    const seconds = Math.round((now - since) / 1_000);
    entry.count = 0;
    entry.since = now;
    if (count > 0)
      countLog?.[nameOf(level)]({ ...details, repeatedCount: count, seconds }, `Repeated: ${message}`);
  }

  function forgetOldest(): void {
    const [oldest] = known;
    if (oldest === undefined) return;
    known.delete(oldest[0]);
    log(oldest[1]);
  }

  return {
    logMethod,
    reportTo: (log) => {
      countLog = log;
    },
    flush: () => {
      for (const entry of known.values()) log(entry);
      known.clear();
      clearInterval(timer);
      timer = undefined;
    },
  };
}

function toText(details: object): string {
  try {
    return JSON.stringify(details);
  } catch {
    return Object.keys(details).join(' ');
  }
}

const isCount = (details: unknown): boolean =>
  typeof details === 'object' && details !== null && 'repeatedCount' in details;

/** Returns the message of a line and what else identifies it. */
function describe([first, second]: LineArguments): { message: string; details: object } {
  if (typeof first !== 'object' || first === null) return { message: String(first), details: {} };
  const message = typeof second === 'string' ? second : '';
  if (first instanceof Error) return { message, details: { err: identify(first) } };
  const details = Object.entries(first).flatMap(([name, value]): [string, unknown][] =>
    typeof value === 'number' ? [] : [[name, name === 'err' ? identify(value) : value]],
  );
  return { message, details: Object.fromEntries(details) };
}

const maxMessageLength = 300;

/** Returns the kind of an error, its message without numbers and ids, and where in the code it occurred. */
function identify(error: unknown): object {
  // Errors are also logged as plain objects, without what could be a secret.
  const { type, code, message, stack } =
    typeof error === 'object' && error !== null && !(error instanceof Error)
      ? (error as Partial<ErrorDetails>)
      : errorDetails(error);
  const general = String(message)
    .slice(0, maxMessageLength)
    .replaceAll(/[0-9a-f-]+/gi, (run) => (/\d/.test(run) ? '#' : run));
  return { type, code, message: general, place: placeOf(stack) };
}

/** Returns the file and the line of the first frame of a stack. */
const placeOf = (stack: string | undefined): string | undefined =>
  stack
    ?.split('\n')
    .find((line) => line.startsWith('    at '))
    ?.split(/[/\\(]/)
    .at(-1)
    ?.replace(')', '');
