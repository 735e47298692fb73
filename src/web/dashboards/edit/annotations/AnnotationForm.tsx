import { Group, Textarea, TextInput } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { maxAnnotationLength, type Annotation } from '#shared/annotations/annotations.ts';
import { t } from '#shared/language/messages.ts';
import { randomId } from '../../../../client/random-id.ts';
import { Form } from '../../../ui/forms/Form.tsx';
import { ColorField } from '../../../visualizations/settings/ColorField.tsx';
import { formOf, toAnnotationOf, type AnnotationForm as Entered } from './draft-annotations.ts';

/** The fields of an annotation. Times are in the zone of the browser. */
export function AnnotationForm({
  annotation,
  onApply,
  onCancel,
}: {
  /** Undefined for a new one. */
  readonly annotation: Annotation | undefined;
  readonly onApply: (annotation: Annotation) => void;
  readonly onCancel: () => void;
}): ReactNode {
  const [entered, setEntered] = useState(() => formOf(annotation));
  const text = useRef<HTMLTextAreaElement>(null);
  // The form replaces the list, whose button had the focus.
  useEffect(() => text.current?.focus(), []);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const result = toAnnotationOf(entered, annotation?.key ?? '');
  const errorOf = (name: keyof Entered) =>
    isSubmitted && 'fault' in result && result.fault === name ? result.message : undefined;
  const field = (name: Exclude<keyof Entered, 'color'>, label: string) => ({
    label,
    value: entered[name],
    error: errorOf(name),
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setEntered((before) => ({ ...before, [name]: value })),
  });
  const timeProps = { flex: 1, miw: 0 } as const;
  return (
    <Form
      action={annotation === undefined ? t('Add') : t('Apply')}
      onSubmit={() => {
        setIsSubmitted(true);
        if ('annotation' in result) onApply({ ...result.annotation, key: annotation?.key ?? randomId() });
      }}
      onCancel={onCancel}
    >
      <Textarea
        {...field('text', t('Text'))}
        description={t('Up to {count} characters', { count: maxAnnotationLength })}
        maxLength={maxAnnotationLength}
        autosize
        minRows={2}
        ref={text}
      />
      <Group wrap="nowrap" align="flex-start">
        <TextInput {...field('day', t('Date'))} {...timeProps} type="date" />
        <TextInput {...field('time', t('Time (optional)'))} {...timeProps} type="time" />
      </Group>
      <Group wrap="nowrap" align="flex-start">
        <TextInput {...field('endDay', t('Until (optional)'))} {...timeProps} type="date" />
        <TextInput {...field('endTime', t('End time (optional)'))} {...timeProps} type="time" />
      </Group>
      <ColorField
        label={t('Color')}
        color={entered.color}
        onChange={(color) => setEntered((before) => ({ ...before, color }))}
      />
    </Form>
  );
}
