import { SegmentedControl, Select, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import {
  imageFits,
  imageSourceOf,
  maxDescriptionLength,
  maxLabelLength,
} from '#shared/content-widgets/content-widgets.ts';
import { addressFault } from '../content-values.ts';
import type { FieldsProps } from '../fields-props.ts';
import { ReferencePicker } from '../ReferencePicker.tsx';
import { ImagePicker } from './ImagePicker.tsx';

/** The fields of an image: which one, its description, and how it is shown. */
export function ImageFields({ values, onChange, context }: FieldsProps): ReactNode {
  const source = imageSourceOf(values.image);
  const [from, setFrom] = useState(source !== undefined && 'reference' in source ? 'data' : 'upload');
  const setImage = (image: string) => onChange({ ...values, image });
  return (
    <>
      <SegmentedControl
        aria-label={t('Where the image comes from')}
        data={[
          { value: 'upload', label: t('Uploaded') },
          { value: 'data', label: t('From data') },
        ]}
        value={from}
        onChange={(chosen) => {
          setFrom(chosen);
          setImage('');
        }}
      />
      {from === 'upload' ? (
        <ImagePicker picked={values.image} onPick={setImage} />
      ) : (
        <ReferencePicker
          label={t('Column with the image')}
          description={t(
            'Its first row has the ID of an uploaded image, or a PNG, JPEG, WebP or GIF in Base64.',
          )}
          picked={values.image === '' ? null : values.image}
          context={context}
          onPick={setImage}
        />
      )}
      <TextInput
        label={t('Description')}
        description={t('Read out to people who can’t see the image. Leave empty if it only decorates.')}
        maxLength={maxDescriptionLength}
        value={values.description}
        onChange={(event) => onChange({ ...values, description: event.currentTarget.value })}
      />
      <Select
        label={t('Size')}
        allowDeselect={false}
        data={[
          { value: 'whole', label: t('Show the whole image') },
          { value: 'fill', label: t('Fill the widget, and cut off what is outside') },
        ]}
        value={values.fit}
        onChange={(chosen) => {
          const fit = imageFits.find((each) => each === chosen);
          if (fit !== undefined) onChange({ ...values, fit });
        }}
      />
      <TextInput
        label={t('Link')}
        description={t('Where the image leads to. Leave empty for no link.')}
        maxLength={2_000}
        error={values.url.trim() === '' ? undefined : addressFault(values.url)}
        value={values.url}
        onChange={(event) => onChange({ ...values, url: event.currentTarget.value })}
      />
      <TextInput
        label={t('Title')}
        maxLength={maxLabelLength}
        value={values.title}
        onChange={(event) => onChange({ ...values, title: event.currentTarget.value })}
      />
    </>
  );
}
