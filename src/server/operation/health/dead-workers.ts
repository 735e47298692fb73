import { hoursMs, type Clock } from '../../base/clock.ts';

const withinMs = hoursMs(1);
/** More are not counted, so that the list stays short. */
const maxCount = 1_000;

/** Counts the query processes that ended unexpectedly within the last hour. */
export function createDeadWorkerCount(clock: Clock): { add(): void; count(): number } {
  let diedAt: number[] = [];
  const recent = () => diedAt.filter((at) => at > clock() - withinMs);
  return {
    add: () => {
      diedAt = [...recent(), clock()].slice(-maxCount);
    },
    count: () => recent().length,
  };
}
