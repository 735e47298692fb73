import { ApiProblem } from '../../app/api.ts';

/** Returns the fault that the server found at `pointer` of the request body; undefined if there is none. */
export function faultAt(error: unknown, pointer: string): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  const fault = error.problem.errors?.find((one) => one.pointer === pointer);
  return fault && capitalized(fault.message);
}

/** Whether all faults of an error are at `pointers`, so that the fields show them. */
export const isShownByFields = (error: unknown, pointers: readonly string[]): boolean =>
  error instanceof ApiProblem &&
  (error.problem.errors ?? []).length > 0 &&
  (error.problem.errors ?? []).every(({ pointer }) => pointers.includes(pointer));

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
