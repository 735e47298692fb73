import { pointerTo } from '#shared/json-pointer.ts';
import type { Fault } from '../problem.ts';

/** How many faults of a request are listed. Nothing is checked any further once there are so many. */
export const maxFaults = 100;

/** The faults that were found so far, and where the current value is. */
export interface Findings {
  readonly faults: Fault[];
  /** The keys and indexes that lead to the current value. */
  readonly path: (string | number)[];
}

/** Adds the faults of a value. */
export type Check = (value: unknown, findings: Findings) => void;

export const isFull = ({ faults }: Findings): boolean => faults.length >= maxFaults;

/** Adds a fault of the current value, or of its member `name`. */
export function report({ faults, path }: Findings, code: string, message: string, name?: string): void {
  const keys = name === undefined ? path : [...path, name];
  faults.push({ pointer: keys.map((key) => pointerTo(String(key))).join(''), code, message });
}
