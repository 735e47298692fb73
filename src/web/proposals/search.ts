import type { Proposal } from '#contract/proposals.ts';

const decided = ['accepted', 'declined'] as const satisfies readonly Proposal['status'][];

/** Reads which proposals the list shows from the URL; open ones by default. */
export function readProposalsSearch({ status }: Readonly<Record<string, unknown>>): {
  status?: (typeof decided)[number];
} {
  const chosen = decided.find((one) => one === status);
  return chosen === undefined ? {} : { status: chosen };
}
