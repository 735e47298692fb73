import { Button } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../app/paths.ts';
import { givenIn, type Search } from '../../ui/browser/search.ts';
import classes from '../view/DashboardToolbar.module.css';
import type { DashboardFilter } from './filters.ts';
import { FilterField } from './FilterField.tsx';

/** Returns a function that sets filters in the URL; undefined resets a filter to its default. */
export function useSetFilters(): (changed: Search) => void {
  const navigate = useNavigate({ from: paths.dashboard });
  return (changed) => void navigate({ search: (search) => ({ ...search, ...changed }), resetScroll: false });
}

/** A control for each filter of a dashboard, and a button that clears them. */
export function FilterBar({
  filters,
  values,
  onChange,
}: {
  readonly filters: readonly DashboardFilter[];
  readonly values: Search;
  /** Gets the filters that change; undefined resets one to its default. */
  readonly onChange: (changed: Search) => void;
}): ReactNode {
  const set = filters.filter(({ name }) => givenIn(values, name) !== undefined);
  if (filters.length === 0) return null;
  return (
    <div role="group" aria-label="Filters" className={classes['filters']}>
      {filters.map((filter) => (
        <FilterField
          key={filter.name}
          filter={filter}
          value={givenIn(values, filter.name)}
          onChange={(value) => onChange({ [filter.name]: value })}
        />
      ))}
      {set.length > 0 && (
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconFilterOff size={14} />}
          onClick={() => onChange(Object.fromEntries(set.map(({ name }) => [name, undefined])))}
        >
          Clear
        </Button>
      )}
    </div>
  );
}
