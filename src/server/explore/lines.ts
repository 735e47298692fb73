import { AtriumError, toProblem } from '../base/errors.ts';

/** Called with an unexpected error, which a line doesn't reveal. */
export type OnFailure = (error: unknown) => void;

/** Returns the line of a chart, or one with the problem that prevented it: it never rejects. */
export async function toLine<Line extends object>(
  facts: Line,
  read: () => Promise<Partial<Line>>,
  onFailure: OnFailure,
): Promise<Line> {
  try {
    return { ...facts, ...(await read()) };
  } catch (error) {
    if (error instanceof AtriumError) return { ...facts, problem: toProblem(error) };
    onFailure(error);
    return { ...facts, problem: toProblem(new AtriumError('internal')) };
  }
}

/** Yields results as they become ready. */
export async function* asReady<Result>(work: readonly Promise<Result>[]): AsyncGenerator<Result> {
  const waiting = new Map(work.map((one, index) => [index, one.then((result) => ({ index, result }))]));
  while (waiting.size > 0) {
    const { index, result } = await Promise.race(waiting.values());
    waiting.delete(index);
    yield result;
  }
}
