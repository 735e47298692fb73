import type { Problem } from '#contract/problem.ts';
import { ApiProblem } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';

/** The problem that the server put into this page instead of the requested response. */
const problem = document.querySelector<HTMLMetaElement>('meta[name=atrium-problem]')?.content;

/** Returns the error of the sign-in that led to this page; undefined if there is none. */
export const pageProblem = (): ApiProblem | undefined =>
  // Sound because only the server writes this element.
  problem === undefined
    ? undefined
    : new ApiProblem(JSON.parse(problem) as Problem & Record<string, unknown>);

/** Replaces the URL that failed, whose parameters can't be used again, by that of the page that shows the error. */
export function replaceFailedAddress(): void {
  if (problem !== undefined) history.replaceState(null, '', paths.signIn);
}
