import type { AccessGrant } from '#contract/organizations/access-review.ts';

export type ObjectKind = AccessGrant['object']['kind'];

export const objectKinds = [
  'organization',
  'folder',
  'dashboard',
  'report',
  'data_source',
] as const satisfies readonly ObjectKind[];

/** The filters in the URL of an access review. */
export interface ReviewSearch {
  readonly userId?: string;
  readonly objectKind?: ObjectKind;
  readonly objectId?: string;
}

/** Reads the query string; values that are not valid are left out. */
export function readReviewSearch(search: Readonly<Record<string, unknown>>): ReviewSearch {
  const objectKind = objectKinds.find((kind) => kind === search['objectKind']);
  return {
    ...idOf('userId', search),
    ...(objectKind !== undefined && { objectKind }),
    ...idOf('objectId', search),
  };
}

const idOf = (name: string, search: Readonly<Record<string, unknown>>): object =>
  typeof search[name] === 'string' && search[name] !== '' ? { [name]: search[name].slice(0, 200) } : {};
