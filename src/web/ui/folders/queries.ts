import { queryOptions, useQuery, type QueryClient, type UseQueryResult } from '@tanstack/react-query';
import type { Folder, ItemOutcomes, ItemsChange } from '#contract/records/folders.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { refreshRecords } from '../server-data/trash.ts';
import { sessionQuery } from '../server-data/session.ts';

/** The folders of an organization that you may see, sorted by name. */
const foldersQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['folders', 'of', orgId],
    queryFn: async ({ signal }) =>
      (await call('GET /api/organizations/{orgId}/folders', { params: { orgId }, signal })).items,
  });

/** The folders of an organization as pages name them; none without an organization. */
export function useFolders(orgId: string | undefined): UseQueryResult<readonly Folder[]> {
  const { data: signedIn } = useQuery(sessionQuery);
  const userId = signedIn?.user.id;
  return useQuery({
    ...foldersQuery(orgId ?? ''),
    enabled: orgId !== undefined,
    select: (folders) => folders.map((folder) => ({ ...folder, name: nameOf(folder, userId) })),
  });
}

function nameOf({ personal, userId, ownerName, name }: Folder, own: string | undefined): string {
  if (!personal) return name;
  if (userId === own) return t('My folder');
  return ownerName === undefined || ownerName === '' ? name : t('Folder of {name}', { name: ownerName });
}

/** Reads again what a change of folders or of what is in them changes. */
export const refreshFolders = (client: QueryClient): Promise<unknown> =>
  Promise.all([client.invalidateQueries({ queryKey: ['folders'] }), refreshRecords(client)]);

/** A dashboard or a report that is moved, deleted or restored. */
export interface Item {
  readonly kind: 'dashboard' | 'report';
  readonly id: string;
  readonly name: string;
}

/** An item that couldn't be changed, with why. */
export type FailedItem = Item & { readonly message: string };

/** The most items of one request. */
const maxItems = 100;

/** Moves, deletes or restores items. Returns those that failed, with why. */
export async function changeItems(
  orgId: string,
  change: Pick<ItemsChange, 'action' | 'folderId'>,
  items: readonly Item[],
): Promise<readonly FailedItem[]> {
  const failed: FailedItem[] = [];
  for (let first = 0; first < items.length; first += maxItems) {
    const part = items.slice(first, first + maxItems);
    const outcomes: ItemOutcomes = await call('POST /api/organizations/{orgId}/items', {
      params: { orgId },
      body: { ...change, items: part.map(({ kind, id }) => ({ kind, id })) },
    });
    for (const [index, item] of part.entries()) {
      const outcome = outcomes.items[index];
      if (outcome?.done !== true) failed.push({ ...item, message: outcome?.message ?? '' });
    }
  }
  return failed;
}
