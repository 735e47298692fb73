import { infiniteQueryOptions, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import type { Folder } from '#contract/records/folders.ts';
import { call } from '../app/api.ts';
import { trashOf, type Deleted, type RecordKind } from '../ui/server-data/trash.ts';

interface TrashPage {
  readonly items: readonly Deleted[];
  readonly nextCursor?: string;
}

/**
 * The records of a kind that were deleted and that you may restore, the last deleted first: those of an organization, or
 * without one your private ones.
 */
export const trashQuery = (kind: RecordKind, organizationId: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['trash', kind, organizationId],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor, signal }): Promise<TrashPage> => {
      const page = cursor !== undefined && { cursor };
      if (organizationId !== undefined) return trashOf[kind].list({ organizationId, ...page }, signal);
      // The API lists everything that you may restore, that of organizations included.
      const all = await trashOf[kind].list({ limit: '200', ...page }, signal);
      return { ...all, items: all.items.filter((item) => item.organizationId === undefined) };
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** A list of the trash that loads page by page. */
export type DeletedPages<Item> = Pick<
  UseInfiniteQueryResult<InfiniteData<{ readonly items: readonly Item[] }>>,
  'data' | 'error' | 'isError' | 'refetch' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
>;

/** The data sources of an organization that were deleted, the last deleted first. */
export const sourcesTrashQuery = (orgId: string) =>
  infiniteQueryOptions({
    queryKey: ['trash', 'data-sources', orgId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      call('GET /api/organizations/{orgId}/trash/data-sources', {
        params: { orgId },
        ...(cursor !== undefined && { query: { cursor } }),
        signal,
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** The tables of an organization that were deleted, the last deleted first. */
export const tablesTrashQuery = (orgId: string) =>
  infiniteQueryOptions({
    queryKey: ['trash', 'tables', orgId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      call('GET /api/organizations/{orgId}/trash/tables', {
        params: { orgId },
        ...(cursor !== undefined && { query: { cursor } }),
        signal,
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export type DeletedFolder = Folder & Required<Pick<Folder, 'deletedAt' | 'deletedByName' | 'purgeAt'>>;

/**
 * The folders of an organization that were deleted and that you may restore, without those that were deleted with them, the last
 * deleted first, on one page.
 */
export const deletedFoldersQuery = (orgId: string) =>
  infiniteQueryOptions({
    queryKey: ['trash', 'folders', orgId],
    initialPageParam: undefined,
    queryFn: async ({ signal }): Promise<{ readonly items: readonly DeletedFolder[] }> => {
      const request = { params: { orgId }, query: { deleted: 'true' as const }, signal };
      const { items } = await call('GET /api/organizations/{orgId}/folders', request);
      const deleted = items.map((folder) => ({
        ...folder,
        deletedAt: folder.deletedAt ?? '',
        deletedByName: folder.deletedByName ?? '',
        purgeAt: folder.purgeAt ?? '',
      }));
      return { items: deleted.toSorted((one, other) => (one.deletedAt < other.deletedAt ? 1 : -1)) };
    },
    getNextPageParam: () => undefined,
  });
