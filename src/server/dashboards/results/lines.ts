import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import type { ResultJson } from '../../reports/runs/result-json.ts';

/** How many reports of a dashboard are requested at once. The engine decides how many of them a source runs at once. */
export const maxAtOnce = 16;

/** How long the first report of a dashboard runs, at most, before the others start. */
const headStartMs = 25;

/**
 * What a response sends before it only says that the rest is too large: far more than a browser can show. A dashboard can show the same
 * large result thousands of times.
 */
const maxResponseLength = 128 * 1024 ** 2;

/**
 * Yields the lines of reports as they are ready, large ones in pieces. The first report gets a head start, since preparing the others
 * would take processor time from its query. Once `maxLength` was sent, the others aren't run, and get the line that `refuse` returns.
 */
export async function* linesOf<Report>(
  reports: readonly Report[],
  run: (report: Report) => Promise<ResultJson>,
  refuse: (report: Report) => string,
  maxLength = maxResponseLength,
): AsyncGenerator<string | Uint8Array> {
  const waiting = [...reports];
  const running = new Map<Report, Promise<{ report: Report; line: ResultJson }>>();
  let length = 0;
  function startUpTo(count: number): void {
    for (const report of waiting.splice(0, count - running.size)) {
      const line = run(report);
      running.set(
        report,
        line.then((ready) => ({ report, line: ready })),
      );
    }
  }
  startUpTo(1);
  let isAhead = true;
  while (running.size > 0) {
    const next = await Promise.race([...running.values(), ...(isAhead ? [delay(headStartMs)] : [])]);
    if (next !== undefined) {
      running.delete(next.report);
      for (const piece of typeof next.line === 'string' ? [next.line] : next.line) {
        length += piece.length;
        yield piece;
      }
    }
    // Send the line before preparing the others.
    if (isAhead) await setImmediate();
    isAhead = false;
    if (length <= maxLength) startUpTo(maxAtOnce);
  }
  for (const report of waiting) yield refuse(report);
}
