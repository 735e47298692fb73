import { timestamp } from '../base/clock.ts';
import { toQueryProblem } from '../engine/problem.ts';
import type { AnswerRoom } from '../results/memory-budget.ts';
import type { ReportAnswer } from './runs.ts';

/** An answer on its way to a client. */
export interface AnswerBody {
  /** Its JSON, whole or piece by piece. */
  readonly pieces: string | Iterable<string | Uint8Array>;
  /** To be called when all is sent; a client that leaves is none that waits. */
  release(): void;
}

/** An answer up to this size is sent at once, and not counted. */
const smallBytes = 64 * 1024;
/** What of a large one is handed to the connection at once: so little is there twice. */
const pieceBytes = 256 * 1024;

/**
 * Runs a report and returns the JSON of its `ReportResult`, whose rows are JSON as they come from the source. A large one
 * is sent from the bytes that the cache has, once there is room for it: meanwhile it is let go, and `run` is to find it in
 * the cache again.
 */
export async function makeAnswerBody(
  room: AnswerRoom,
  run: (hasWaited: boolean) => Promise<ReportAnswer>,
  signal: AbortSignal,
): Promise<AnswerBody> {
  const first = await makeIfThereIsRoom(room, run, signal);
  if ('pieces' in first) return first;
  const release = await waitForRoom(room, first.organizationId, first.sizeBytes, signal);
  return makeWithRoom(release, run, signal);
}

/** Returns the body, or what it takes: by itself, so that nothing of the answer is held by who waits. */
async function makeIfThereIsRoom(
  room: AnswerRoom,
  run: (hasWaited: boolean) => Promise<ReportAnswer>,
  signal: AbortSignal,
): Promise<AnswerBody | { readonly organizationId: string; readonly sizeBytes: number }> {
  const answer = await run(false);
  const { organizationId, result } = answer;
  const sizeBytes = result.rowsJson.byteLength;
  if (sizeBytes <= smallBytes) return { pieces: answerText(answer), release: () => undefined };
  const release = room.take(organizationId, sizeBytes);
  return release === undefined ? { organizationId, sizeBytes } : holding(answer, release, signal);
}

const waitForRoom = (room: AnswerRoom, ...wanted: Parameters<AnswerRoom['wait']>): Promise<() => void> =>
  room.wait(...wanted).catch((error: unknown) => {
    throw toQueryProblem(error);
  });

async function makeWithRoom(
  release: () => void,
  run: (hasWaited: boolean) => Promise<ReportAnswer>,
  signal: AbortSignal,
): Promise<AnswerBody> {
  try {
    return holding(await run(true), release, signal);
  } catch (error) {
    release();
    throw error;
  }
}

function holding(answer: ReportAnswer, release: () => void, signal: AbortSignal): AnswerBody {
  signal.addEventListener('abort', release, { once: true });
  if (signal.aborted) release();
  return { pieces: answerPieces(answer), release };
}

function* answerPieces(answer: ReportAnswer): Generator<string | Uint8Array> {
  const { rowsJson } = answer.result;
  yield headOf(answer);
  for (let start = 0; start < rowsJson.byteLength; start += pieceBytes)
    yield rowsJson.subarray(start, start + pieceBytes);
  yield tailOf(answer);
}

function answerText(answer: ReportAnswer): string {
  const { rowsJson } = answer.result;
  const rows = Buffer.from(rowsJson.buffer, rowsJson.byteOffset, rowsJson.byteLength).toString('utf8');
  return headOf(answer) + rows + tailOf(answer);
}

const headOf = ({ result: { columns } }: ReportAnswer): string =>
  `{"columns":${JSON.stringify(columns)},"rows":`;

function tailOf({ result, isFromCache, faults }: ReportAnswer): string {
  const { rowCount, isCutOff, durationMs, computedAt } = result;
  const rest = {
    rowCount,
    isCutOff,
    computedAt: timestamp(computedAt),
    durationMs: Math.round(durationMs * 10) / 10,
    isFromCache,
    faults,
  };
  return `,${JSON.stringify(rest).slice(1)}`;
}
