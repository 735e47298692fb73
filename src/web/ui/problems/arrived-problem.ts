import type { Problem } from '#contract/problem.ts';
import { ApiProblem } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';

/** The problem that the server sent this page with, in the place of what the browser went for. */
const arrived = document.querySelector<HTMLMetaElement>('meta[name=atrium-problem]')?.content;

/** Returns the error by which a sign-in has ended that came back here. */
export const arrivedProblem = (): ApiProblem | undefined =>
  // Sound because the server writes it, and nobody else into its page.
  arrived === undefined
    ? undefined
    : new ApiProblem(JSON.parse(arrived) as Problem & Record<string, unknown>);

/** Leaves the address that has failed, whose parameters are used up, for the page that tells so. */
export function leaveFailedAddress(): void {
  if (arrived !== undefined) history.replaceState(null, '', paths.signIn);
}
