import { hoursMs } from '../../base/clock.ts';

/** How many exports of everything run at once on a server, and of one organization or one person. None waits for its turn, or takes longer. */
export const dataExportLimits = {
  maxWorkers: 3,
  /** For organizations that had no slow one in the last minute, since one can take hours. */
  reservedWorkers: 1,
  maxWorkersPerOrganization: 1,
  maxWaitingPerOrganization: 0,
  maxWaitMs: 0,
  maxDurationMs: hoursMs(2),
};
