import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { paths } from '../../app/paths.ts';
import type { Search } from '../../ui/browser/search.ts';

/** Returns a function that sets filters in the URL; undefined resets a filter to its default. */
export function useSetFilters(): (changed: Search) => Promise<void> {
  const navigate = useNavigate({ from: paths.dashboard });
  return useCallback(
    (changed) => navigate({ search: (search) => ({ ...search, ...changed }), resetScroll: false }),
    [navigate],
  );
}
