/**
 * Returns a selection after one item was toggled: with `from`, the items between both, in the order in which they are shown, get the
 * state of that one, as after a click with Shift.
 */
export function toggled(
  selected: ReadonlySet<string>,
  shown: readonly string[],
  { id, from }: { readonly id: string; readonly from: string | undefined },
): ReadonlySet<string> {
  const [start, end] = [shown.indexOf(from ?? id), shown.indexOf(id)].toSorted((one, other) => one - other);
  const range = start === undefined || start === -1 ? [id] : shown.slice(start, (end ?? start) + 1);
  return new Set(
    selected.has(id) ? [...selected].filter((each) => !range.includes(each)) : [...selected, ...range],
  );
}
