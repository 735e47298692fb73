import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { RecordKind } from '../ui/server-data/trash.ts';
import { historyCalls, type VersionContents } from './calls.ts';

/** The record whose history is shown. */
export interface RecordRef<Kind extends RecordKind = RecordKind> {
  readonly kind: Kind;
  readonly id: string;
}

/** The versions of a record, newest first, page by page. */
export const versionsQuery = ({ kind, id }: RecordRef) =>
  infiniteQueryOptions({
    queryKey: [`${kind}s`, id, 'versions'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      historyCalls[kind].list(id, cursor === undefined ? {} : { cursor }, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** A version with its content. */
export const versionQuery = <Kind extends RecordKind>({ kind, id }: RecordRef<Kind>, version: number) =>
  queryOptions<VersionContents[Kind]>({
    queryKey: [`${kind}s`, id, 'versions', version],
    queryFn: ({ signal }) => historyCalls[kind].read(id, `${version}`, signal),
    staleTime: Infinity,
  });

/** The changes from one version to another. */
export const changesQuery = ({ kind, id }: RecordRef, from: number, to: number) =>
  queryOptions({
    queryKey: [`${kind}s`, id, 'changes', from, to],
    queryFn: ({ signal }) => historyCalls[kind].compare(id, { from: `${from}`, to: `${to}` }, signal),
    staleTime: Infinity,
  });
