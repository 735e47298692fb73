import { Button, Combobox, Group, Stack, Text, Textarea, useCombobox } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import type { EditingPerson } from '#contract/dashboards/events.ts';
import { maxCommentLength } from '#shared/comments.ts';
import { t } from '#shared/language/messages.ts';
import { insertAtCaret } from '../../ui/forms/insert-at-caret.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { mentionableQuery } from './queries.ts';
import { typedMention } from './text-parts.ts';

export interface Draft {
  readonly text: string;
  readonly mentions: string[];
}

/** A field to write or edit a comment. After an `@`, it lists the people who can be mentioned. */
export function Composer({
  dashboardId,
  label,
  action,
  before,
  isPending,
  error,
  onSubmit,
  onCancel,
}: {
  readonly dashboardId: string;
  readonly label: string;
  readonly action: string;
  /** The comment that is edited. */
  readonly before?: { readonly text: string; readonly mentions: readonly EditingPerson[] };
  readonly isPending: boolean;
  readonly error: unknown;
  /** Calls `clear` once the comment is stored. */
  readonly onSubmit: (draft: Draft, clear: () => void) => void;
  readonly onCancel?: () => void;
}): ReactNode {
  const [text, setText] = useState(before?.text ?? '');
  const [people, setPeople] = useState(before?.mentions ?? []);
  const [typed, setTyped] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const combobox = useCombobox();
  const found = useQuery({
    ...mentionableQuery(dashboardId, typed ?? ''),
    enabled: typed !== undefined,
    placeholderData: keepPreviousData,
  });
  // Until the people for the new text are there, those for the text before are listed, without those it excludes.
  const options = (typed === undefined ? [] : (found.data?.items ?? [])).filter(
    ({ name }) =>
      !found.isPlaceholderData || name.toLocaleLowerCase().includes((typed ?? '').toLocaleLowerCase()),
  );
  const mentioned = people.filter(({ name }) => text.includes(`@${name}`));

  const readCaret = (element: HTMLTextAreaElement) => {
    const mention = typedMention(element.value, element.selectionStart);
    setTyped(mention);
    if (mention === undefined) combobox.closeDropdown();
    else {
      combobox.openDropdown();
      combobox.updateSelectedOptionIndex();
    }
  };
  const mention = (userId: string) => {
    const person = options.find((option) => option.userId === userId);
    if (person === undefined || typed === undefined) return;
    insertAtCaret(field.current, text, `${person.name} `, setText, typed.length);
    setPeople([...people.filter((other) => other.userId !== userId), person]);
    setTyped(undefined);
    combobox.closeDropdown();
  };
  const submit = () => {
    if (text.trim() === '' || isPending) return;
    onSubmit({ text, mentions: [...new Set(mentioned.map(({ userId }) => userId))] }, () => {
      setText('');
      setPeople([]);
    });
  };
  const isPicking = typed !== undefined && options.length > 0;
  return (
    <Stack gap="xs">
      <Combobox store={combobox} onOptionSubmit={mention} position="bottom-start" withinPortal>
        <Combobox.Target withKeyboardNavigation={isPicking} targetType="input">
          <Textarea
            ref={field}
            aria-label={label}
            placeholder={label}
            autosize
            minRows={2}
            maxRows={10}
            maxLength={maxCommentLength}
            value={text}
            onChange={({ currentTarget }) => {
              setText(currentTarget.value);
              readCaret(currentTarget);
            }}
            onBlur={() => combobox.closeDropdown()}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
              if (event.key !== 'Escape' || typed === undefined) return;
              // Closes the list, not the panel.
              event.stopPropagation();
              setTyped(undefined);
              combobox.closeDropdown();
            }}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={!isPicking}>
          <Combobox.Options aria-label={t('People to mention')}>
            {options.map(({ userId, name }) => (
              <Combobox.Option key={userId} value={userId}>
                {name}
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {mentioned.length > 0 && (
        <Text size="xs" c="dimmed">
          {t('Will be notified: {names}', { names: mentioned.map(({ name }) => name).join(', ') })}
        </Text>
      )}
      {error !== null && error !== undefined && <Failure error={error} />}
      <Group justify="flex-end" gap="xs">
        {onCancel !== undefined && (
          <Button size="xs" variant="default" onClick={onCancel}>
            {t('Cancel')}
          </Button>
        )}
        <Button size="xs" loading={isPending} disabled={text.trim() === ''} onClick={submit}>
          {action}
        </Button>
      </Group>
    </Stack>
  );
}
