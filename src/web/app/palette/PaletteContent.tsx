import { Input, Loader, Text, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { errorSentence } from '../../ui/problems/message.ts';
import { groupEntries, matchingEntries, rankEntries, type PaletteEntry } from './entries.ts';
import classes from './Palette.module.css';
import { useFoundEntries } from './use-found-entries.ts';
import { usePaletteEntries } from './use-entries.ts';

const listId = 'palette-list';
const idOf = (entry: PaletteEntry) => `palette-${entry.id.replaceAll(/[^\w-]/g, '_')}`;

/**
 * A search field with its results below it: a combobox whose list is always open (WAI-ARIA 1.2). `@mantine/spotlight` has no
 * role and no active descendant, so a screen reader would be silent while the arrow keys move.
 */
export function PaletteContent({
  orgId,
  onClose,
  onShowShortcuts,
}: {
  readonly orgId: string | undefined;
  readonly onClose: () => void;
  readonly onShowShortcuts: () => void;
}): ReactNode {
  const [text, setText] = useState('');
  const [chosenId, setChosenId] = useState<string>();
  const [search] = useDebouncedValue(text, 150);
  const found = useFoundEntries(orgId, search);
  const own = matchingEntries(usePaletteEntries(orgId, onShowShortcuts), text);
  const entries =
    text.trim() === '' ? [...found.entries, ...own] : rankEntries([...own, ...found.entries], text);
  const groups = groupEntries(entries);
  const ordered = groups.flatMap(({ entries }) => entries);
  const chosenIndex = Math.max(
    0,
    ordered.findIndex(({ id }) => id === chosenId),
  );
  const chosen = ordered[chosenIndex];
  const isWaiting = found.isFetching || text !== search;

  const run = (entry: PaletteEntry) => {
    onClose();
    entry.run();
  };
  const choose = (index: number) => {
    const next = ordered[(index + ordered.length) % ordered.length];
    if (next === undefined) return;
    setChosenId(next.id);
    document.getElementById(idOf(next))?.scrollIntoView({ block: 'nearest' });
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => choose(chosenIndex + 1),
      ArrowUp: () => choose(chosenIndex - 1),
      PageDown: () => choose(Math.min(chosenIndex + 8, ordered.length - 1)),
      PageUp: () => choose(Math.max(chosenIndex - 8, 0)),
      Enter: () => chosen !== undefined && run(chosen),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };
  return (
    <>
      <Input
        className={classes['search']}
        variant="unstyled"
        size="md"
        autoFocus
        role="combobox"
        aria-label={t('Search or run a command')}
        aria-expanded
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={chosen && idOf(chosen)}
        placeholder={t('Search or run a command…')}
        maxLength={200}
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={isWaiting && <Loader size={16} aria-hidden />}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setChosenId(undefined);
        }}
        onKeyDown={press}
      />
      <div id={listId} role="listbox" aria-label={t('Results')} className={classes['list']}>
        {groups.map(({ group, entries }) => (
          <div key={group} role="group" aria-label={group}>
            <div className={classes['group']} aria-hidden>
              {group}
            </div>
            {entries.map((entry) => (
              <Entry
                key={entry.id}
                entry={entry}
                isChosen={entry === chosen}
                onPoint={() => setChosenId(entry.id)}
                onRun={() => run(entry)}
              />
            ))}
          </div>
        ))}
      </div>
      {ordered.length === 0 && !isWaiting && (
        <Text c="dimmed" ta="center" size="sm" pb="lg">
          {t('No results')}
        </Text>
      )}
      {found.error !== null && (
        <Text c="error" size="sm" p="sm" role="alert">
          {errorSentence(found.error)}
        </Text>
      )}
      <VisuallyHidden role="status">
        {isWaiting ? '' : t('{count} results', { count: ordered.length })}
      </VisuallyHidden>
    </>
  );
}

function Entry({
  entry,
  isChosen,
  onPoint,
  onRun,
}: {
  readonly entry: PaletteEntry;
  readonly isChosen: boolean;
  readonly onPoint: () => void;
  readonly onRun: () => void;
}): ReactNode {
  const { label, detail, icon: Icon } = entry;
  return (
    // The field keeps the focus and handles the keys.
    <div
      id={idOf(entry)}
      role="option"
      aria-selected={isChosen}
      className={classes['entry']}
      onMouseMove={isChosen ? undefined : onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onRun}
    >
      <Icon size={18} aria-hidden />
      <span className={classes['label']}>{label}</span>
      {detail !== undefined && <span className={classes['detail']}>{detail}</span>}
    </div>
  );
}
