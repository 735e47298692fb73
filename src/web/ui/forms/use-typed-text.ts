import { useRef, useState, type KeyboardEvent } from 'react';

/** The browser's own controls for dates and times suit the reader's locale and keyboard. */
const inputTypes = { text: 'text', number: 'text', date: 'date', datetime: 'datetime-local' } as const;

/** Returns the type of the input for a value. The browser's control can't show a time with a time zone. */
export const inputTypeOf = (
  type: keyof typeof inputTypes,
  value: string,
): 'text' | 'date' | 'datetime-local' =>
  type === 'datetime' && value !== '' && !timeWithoutZone.test(value) ? 'text' : inputTypes[type];

const timeWithoutZone = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/;

interface FieldEvent {
  readonly currentTarget: HTMLInputElement;
}

/**
 * The text of a field that applies when it is complete: what is typed on Enter or when the field loses the focus, and a date
 * that is picked from the browser's calendar at once.
 */
export function useTypedText(
  applied: string,
  apply: (text: string) => void,
): {
  readonly setText: (text: string) => void;
  /** The properties of the input. */
  readonly field: {
    readonly value: string;
    readonly onChange: (event: FieldEvent) => void;
    readonly onBlur: (event: FieldEvent) => void;
    readonly onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
  };
} {
  const [draft, setDraft] = useState<{ readonly text: string; readonly over: string }>();
  const isTyping = useRef(false);
  const isCurrent = draft?.over === applied;
  // Another value was applied since, here or elsewhere.
  if (draft !== undefined && !isCurrent) setDraft(undefined);
  const value = isCurrent ? draft.text : applied;
  const setText = (text: string) => setDraft({ text, over: applied });
  const finish = ({ currentTarget }: FieldEvent) => {
    // An incomplete date.
    if (currentTarget.validity.badInput) setDraft(undefined);
    else if (value !== applied) apply(value);
  };
  const onChange = ({ currentTarget }: FieldEvent) => {
    const text = currentTarget.value;
    setText(text);
    const isDate = currentTarget.type === 'date' || currentTarget.type === 'datetime-local';
    if (isDate && !isTyping.current && text !== applied) apply(text);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // A calendar opens with other keys, and receives the keys that are pressed in it.
    isTyping.current = !event.altKey && typingKeys.test(event.key);
    if (event.key === 'Enter') finish(event);
  };
  return { setText, field: { value, onChange, onBlur: finish, onKeyDown } };
}

const typingKeys = /^(\d|ArrowUp|ArrowDown|Backspace|Delete)$/;
