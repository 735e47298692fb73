import { ApiProblem } from '../../app/api.ts';

/** What the server says is wrong at `pointer` of the body that was sent; undefined when that is nothing. */
export function faultAt(error: unknown, pointer: string): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  const fault = error.problem.errors?.find((one) => one.pointer === pointer);
  return fault && capitalized(fault.message);
}

/** Whether every fault that the server tells is at one of `pointers`, so that the fields themselves show it. */
export const isToldByFields = (error: unknown, pointers: readonly string[]): boolean =>
  error instanceof ApiProblem &&
  (error.problem.errors ?? []).length > 0 &&
  (error.problem.errors ?? []).every(({ pointer }) => pointers.includes(pointer));

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
