import { useQuery } from '@tanstack/react-query';
import { permissionsQuery } from './queries.ts';
import { wordsOf, type SharedRecord } from './shared-records.ts';

/** Returns why you can't edit a record; undefined when you can, or while it loads, which starts once `isEnabled`. */
export function useEditReason(
  record: Pick<SharedRecord, 'kind' | 'id'>,
  isEnabled = true,
): string | undefined {
  const { data } = useQuery({ ...permissionsQuery(record), enabled: isEnabled });
  return data?.access === 'view' ? wordsOf[record.kind].viewOnly : undefined;
}
