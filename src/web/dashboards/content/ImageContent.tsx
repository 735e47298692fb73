import type { ReactNode } from 'react';
import { valueOfReference, type ReferenceContext } from '#charts/content/reference-values.ts';
import type { Content } from '#shared/content-widgets/content-widgets.ts';
import { t } from '#shared/language/messages.ts';
import { imageOfValue, type ShownImage } from '#shared/images/image-value.ts';
import { safeHref } from '#shared/links.ts';
import { ContentAnchor } from './ContentAnchor.tsx';
import classes from './ContentImage.module.css';
import { ContentImage } from './ContentImage.tsx';

/** An image widget: an uploaded image, or one that a value of another widget is. */
export function ImageContent({
  content: { source, description, fit, url },
  context,
}: {
  readonly content: Extract<Content, { kind: 'image' }>;
  readonly context: ReferenceContext;
}): ReactNode {
  const found = 'id' in source ? source : valueOf(source.reference, context);
  if (found === 'loading') return <span aria-busy="true" title={t('Loading')} />;
  if (found === undefined) {
    return <span className={classes['missing']}>{description === '' ? t('No image') : description}</span>;
  }
  const href = url === undefined ? undefined : safeHref(url);
  // A link needs a name.
  const name = description === '' ? (url ?? '') : description;
  const image = <ContentImage image={found} description={name} fit={fit} />;
  if (href === undefined) return image;
  return (
    <div className={classes['linked']}>
      <ContentAnchor href={href}>{image}</ContentAnchor>
    </div>
  );
}

function valueOf(
  reference: Parameters<typeof valueOfReference>[0],
  context: ReferenceContext,
): ShownImage | 'loading' | undefined {
  const value = valueOfReference(reference, context);
  if (value.kind === 'loading') return 'loading';
  return value.kind === 'value' ? imageOfValue(value.text) : undefined;
}
