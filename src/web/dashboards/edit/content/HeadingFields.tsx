import { Select, TextInput } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import { headingSizes, maxHeadingLength } from '#shared/content-widgets/content-widgets.ts';
import { t } from '#shared/language/messages.ts';
import type { FieldsProps } from './fields-props.ts';
import { insertAtCaret } from '../../../ui/forms/insert-at-caret.ts';
import { ReferencePicker } from './ReferencePicker.tsx';

/** The fields of a heading: its text and its size. */
export function HeadingFields({ values, onChange, context }: FieldsProps): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  const setText = (text: string) => onChange({ ...values, text: text.slice(0, maxHeadingLength) });
  return (
    <>
      <TextInput
        ref={field}
        label={t('Heading')}
        maxLength={maxHeadingLength}
        data-autofocus
        value={values.text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Select
        label={t('Size')}
        allowDeselect={false}
        data={[
          { value: 'large', label: t('Large') },
          { value: 'medium', label: t('Medium') },
          { value: 'small', label: t('Small') },
        ]}
        value={values.size}
        onChange={(chosen) => {
          const size = headingSizes.find((each) => each === chosen);
          if (size !== undefined) onChange({ ...values, size });
        }}
      />
      <ReferencePicker
        context={context}
        onPick={(reference) => insertAtCaret(field.current, values.text, reference, setText)}
      />
    </>
  );
}
