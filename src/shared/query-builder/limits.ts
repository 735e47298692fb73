import type { StructureFault } from './faults.ts';

const maxSqlLength = 100_000;
const maxParameters = 50;

/**
 * Thrown as soon as it is certain that a query is too large. Otherwise a small structure could take any amount of time and memory:
 * SQL doubles where a custom column refers twice to the one before it.
 */
export class TooLarge extends Error {
  readonly fault: StructureFault;

  constructor(fault: StructureFault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** Throws `TooLarge` if SQL, or a part of it, is longer than a query may be. */
export function requireSqlLength(length: number): void {
  if (length <= maxSqlLength) return;
  throw new TooLarge({ pointer: '', message: 'The query is too long: at most 100,000 characters.' });
}

/** Throws `TooLarge` if there are more parameters than a report may have. */
export function requireParameterCount(count: number): void {
  if (count <= maxParameters) return;
  throw new TooLarge({ pointer: '/filters', message: 'A query can have at most 50 parameters.' });
}
