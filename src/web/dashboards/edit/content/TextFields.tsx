import { Textarea, TextInput } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import { maxLabelLength, maxTextLength } from '#shared/content-widgets/content-widgets.ts';
import { t } from '#shared/language/messages.ts';
import type { FieldsProps } from './fields-props.ts';
import { insertAtCaret } from '../../../ui/forms/insert-at-caret.ts';
import { InsertImage } from './image/InsertImage.tsx';
import { ReferencePicker } from './ReferencePicker.tsx';

/** The fields of a text: its title and its Markdown. */
export function TextFields({ values, onChange, context }: FieldsProps): ReactNode {
  const field = useRef<HTMLTextAreaElement>(null);
  const setText = (text: string) => onChange({ ...values, text: text.slice(0, maxTextLength) });
  return (
    <>
      <Textarea
        ref={field}
        label={t('Text')}
        description={t('Markdown, such as **bold**, # Heading, - List and [link](https://example.com).')}
        autosize
        minRows={6}
        maxRows={16}
        maxLength={maxTextLength}
        data-autofocus
        value={values.text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ReferencePicker
        context={context}
        onPick={(reference) => insertAtCaret(field.current, values.text, reference, setText)}
      />
      <InsertImage
        onPick={(id) => insertAtCaret(field.current, values.text, `![Image](image:${id})`, setText)}
      />
      <TextInput
        label={t('Title')}
        description={t('Leave empty to show only the text.')}
        maxLength={maxLabelLength}
        value={values.title}
        onChange={(event) => onChange({ ...values, title: event.currentTarget.value })}
      />
    </>
  );
}
