import type { Problem } from '#contract/problem.ts';
import type { Endpoint, ProblemOf } from './operations.ts';

export type ProblemDocument = Problem & Readonly<Record<string, unknown>>;

/** An error response. Besides the common members, `problem` has those of its code. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly problem: ProblemDocument;
  /** The seconds after which the request can succeed, by `Retry-After`, or undefined. */
  readonly retryAfterSeconds: number | undefined;
  constructor(problem: ProblemDocument, retryAfterSeconds?: number) {
    super(problem.detail);
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
  get code(): string {
    return this.problem.code;
  }
}

/** No response arrived: the server or the network is down. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** Returns whether `error` is a problem with which the server answered `endpoint`; its `problem` then is a union by `code`. */
export const isProblemOf = <L extends Endpoint>(
  _endpoint: L,
  error: unknown,
): error is ApiProblem & { readonly problem: ProblemOf<L> } => error instanceof ApiProblem;

/** Returns the problem for an error response without one, which a proxy in front of the server has sent. */
export function proxyProblem({ status, statusText }: Pick<Response, 'status' | 'statusText'>): Problem {
  const detail = `The server or a proxy in front of it responded with ${status} ${statusText}.`;
  return { type: 'about:blank', title: statusText, status, detail, code: 'unavailable', requestId: '' };
}
