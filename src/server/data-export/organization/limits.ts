import { hoursMs } from '../../base/clock.ts';

/**
 * How many exports of everything run at once on a server, and of one organization or one person. None waits for its turn, or takes longer.
 * Each holds only a chunk in memory, so that there are enough places for others beside slow readers.
 */
export const dataExportLimits = {
  maxWorkers: 8,
  /** For organizations that had no slow one in the last minute, since one can take hours. */
  reservedWorkers: 2,
  maxWorkersPerOrganization: 1,
  maxWaitingPerOrganization: 0,
  maxWaitMs: 0,
  maxDurationMs: hoursMs(2),
};
