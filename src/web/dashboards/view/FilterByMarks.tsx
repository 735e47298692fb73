import { IconFilter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { MenuAction } from '../../ui/actions/MenuAction.tsx';
import type { FilterAction } from '../filters/by-marks.ts';
import type { Search } from '../../ui/browser/search.ts';

/** Items of the menu of marks that filter the dashboard by their values. */
export const FilterByMarks = ({
  actions,
  onChange,
}: {
  readonly actions: readonly FilterAction[];
  readonly onChange: (changed: Search) => void;
}): ReactNode =>
  actions.map(({ label, reason, changed }) => (
    <MenuAction key={label} icon={<IconFilter size={16} />} reason={reason} onClick={() => onChange(changed)}>
      {label}
    </MenuAction>
  ));
