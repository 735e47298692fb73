import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { givenIn, type Search } from '../../ui/browser/search.ts';
import { needsCheck, withoutMisfits, type Misfit } from './misfits.ts';
import { hasValues, type ValuesContext } from './queries.ts';

export interface FilterChanges {
  /** The values of the filters as their controls show them. */
  readonly shown: Search;
  /** The names of the filters that were changed, but not applied. */
  readonly pending: readonly string[];
  /** What the last change removed from other filters. */
  readonly misfits: readonly Misfit[];
  readonly change: (changed: Search) => void;
  readonly apply: () => void;
  readonly discard: () => void;
}

/**
 * Returns how filters are changed. A change applies together with the removal of values of other filters that don't fit it, so
 * that no report runs with values that can't occur together. With `appliesTogether`, changes wait until they are applied.
 */
export function useFilterChanges(
  context: ValuesContext,
  appliesTogether: boolean,
  onChange: (changed: Search) => void | Promise<void>,
): FilterChanges {
  const client = useQueryClient();
  const [waiting, setWaiting] = useState<Search>({});
  const [misfits, setMisfits] = useState<readonly Misfit[]>([]);
  const latest = useRef(0);
  const { filters, values } = context;
  const shown = { ...values, ...waiting };

  const send = async (changed: Search) => {
    await onChange(changed);
    setWaiting({});
  };
  const change = (changed: Search) => {
    latest.current += 1;
    const turn = latest.current;
    setMisfits([]);
    const before = { ...waiting, ...changed };
    if (!needsCheck(filters, { ...shown, ...changed }, changed)) {
      setWaiting(before);
      if (!appliesTogether) void send(before);
      return;
    }
    setWaiting(before);
    void withoutMisfits(client, { ...context, values: shown }, changed).then((fitting) => {
      // A later change starts from this one, and is checked itself.
      if (turn !== latest.current) return;
      const after = { ...waiting, ...fitting.changed };
      setMisfits(fitting.misfits);
      setWaiting(after);
      if (!appliesTogether) void send(after);
    });
  };

  // A link can have values that don't fit. Which filters have lists is known when the results arrive.
  const withLists = filters
    .filter(hasValues)
    .map(({ name }) => name)
    .join();
  useEffect(() => {
    const all = Object.fromEntries(filters.map(({ name }) => [name, givenIn(values, name)]));
    if (!needsCheck(filters, values, all)) return;
    void withoutMisfits(client, context, all).then((fitting) => {
      if (fitting.misfits.length === 0) return;
      setMisfits(fitting.misfits);
      const names = fitting.misfits.map(({ filter }) => filter.name);
      void onChange(Object.fromEntries(names.map((name) => [name, fitting.changed[name]])));
    });
  }, [withLists]);

  const pending = Object.keys(waiting).filter(
    (name) => JSON.stringify(givenIn(waiting, name)) !== JSON.stringify(givenIn(values, name)),
  );
  return {
    shown,
    pending,
    misfits,
    change,
    apply: () => void send(waiting),
    discard: () => {
      latest.current += 1;
      setWaiting({});
      setMisfits([]);
    },
  };
}
