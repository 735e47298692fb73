import { Modal } from '@mantine/core';
import { useContext, useDeferredValue, useState, type ReactNode } from 'react';
import { contentOf, contentWidgetId, type ContentKind } from '#shared/content-widgets/content-widgets.ts';
import { t } from '#shared/language/messages.ts';
import { Form } from '../../../ui/forms/Form.tsx';
import { ContentPreview } from './ContentPreview.tsx';
import { EditorReferences } from './editor-references.ts';
import { HeadingFields } from './HeadingFields.tsx';
import { ImageFields } from './image/ImageFields.tsx';
import { LinksFields } from './LinksFields.tsx';
import { TextFields } from './TextFields.tsx';
import { configOf, reasonAgainst, valuesIn, type ContentValues } from './content-values.ts';

type Config = Readonly<Record<string, unknown>>;

/** Asks for the content of a widget without a report, and previews it. */
export function ContentDialog({
  kind,
  config,
  onClose,
  onSubmit,
}: {
  readonly kind: ContentKind;
  /** The present config; undefined for a new widget. */
  readonly config: Config | undefined;
  readonly onClose: () => void;
  readonly onSubmit: (config: Config) => void;
}): ReactNode {
  const [values, setValues] = useState<ContentValues>(() => valuesIn(config ?? {}));
  const context = useContext(EditorReferences);
  const shown = useDeferredValue(values);
  const reason = reasonAgainst(kind, values);
  const fields = { values, onChange: setValues, context };
  return (
    <Modal opened onClose={onClose} size="lg" title={config === undefined ? additions[kind] : edits[kind]}>
      <Form
        action={config === undefined ? t('Add') : t('Apply')}
        reason={reason}
        onSubmit={() => onSubmit(configOf(kind, values, config ?? {}))}
        onCancel={onClose}
      >
        {kind === 'text' && <TextFields {...fields} />}
        {kind === 'heading' && <HeadingFields {...fields} />}
        {kind === 'image' && <ImageFields {...fields} />}
        {kind === 'links' && <LinksFields {...fields} />}
        <ContentPreview
          content={contentOf({ reportId: contentWidgetId(kind), config: configOf(kind, shown, {}) })}
          context={context}
        />
      </Form>
    </Modal>
  );
}

const additions: Readonly<Record<ContentKind, string>> = {
  text: t('Add a text'),
  heading: t('Add a heading'),
  image: t('Add an image'),
  links: t('Add links'),
  divider: t('Add a divider'),
};

const edits: Readonly<Record<ContentKind, string>> = {
  text: t('Edit text'),
  heading: t('Edit heading'),
  image: t('Edit image'),
  links: t('Edit links'),
  divider: t('Edit divider'),
};
