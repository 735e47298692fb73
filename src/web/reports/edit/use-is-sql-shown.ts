import { useNavigate, useSearch } from '@tanstack/react-router';
import { without } from '../../visualizations/settings/without.ts';

/** Whether people chose to write SQL, which is in the URL. */
export function useIsSqlShown(): readonly [boolean, (isShown: boolean) => void] {
  const { write } = useSearch({ strict: false });
  const navigate = useNavigate();
  const setIsShown = (isShown: boolean) =>
    void navigate({
      to: '.',
      search: (before: Readonly<Record<string, unknown>>) =>
        isShown ? { ...before, write: 'sql' } : without(before, 'write'),
      resetScroll: false,
    });
  return [write === 'sql', setIsShown];
}
