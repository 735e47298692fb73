import { hostname } from 'node:os';

/** The numbers of pino's levels. */
const levelNumbers = { info: 30, warn: 40, error: 50, fatal: 60 } as const;

/** Returns a line as pino writes it, for what is logged before the server has its log, or after that is lost. */
export const logLine = (level: keyof typeof levelNumbers, details: object, msg: string): string =>
  `${JSON.stringify({ level: levelNumbers[level], time: Date.now(), hostname: hostname(), ...details, msg })}\n`;

/** An error as it is logged. */
export interface ErrorDetails {
  readonly type?: string;
  readonly code?: string;
  readonly message: string;
  readonly stack?: string;
}

/** Returns what may be logged of an error: one of the database can contain the row with its secrets. */
export function errorDetails(error: unknown): ErrorDetails {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name: type, message, stack } = error;
  const code = 'code' in error ? { code: String(error.code) } : {};
  return { type, ...code, message, ...(stack !== undefined && { stack }) };
}
