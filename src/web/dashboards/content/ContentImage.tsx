import { useContext, useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { ShownImage } from '#shared/images/image-value.ts';
import { addressOf } from '../../app/api.ts';
import classes from './ContentImage.module.css';
import { ImageOrganization } from './image-organization.ts';

/** An image of the organization, or of its data. If it can't be shown, its description is. */
export function ContentImage({
  image,
  description,
  fit,
}: {
  readonly image: ShownImage;
  readonly description: string;
  /** Undefined in a text, where it has its own size. */
  readonly fit?: 'whole' | 'fill';
}): ReactNode {
  const orgId = useContext(ImageOrganization);
  const address = addressOfImage(image, orgId);
  const [broken, setBroken] = useState<string>();
  if (address === undefined || address === broken) {
    return (
      <span className={classes['missing']}>{description === '' ? t('Image not found') : description}</span>
    );
  }
  return (
    <img
      className={classes['image']}
      data-fit={fit}
      src={address}
      alt={description}
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setBroken(address)}
    />
  );
}

function addressOfImage(image: ShownImage, orgId: string | undefined): string | undefined {
  if ('dataUrl' in image) return image.dataUrl;
  return orgId === undefined
    ? undefined
    : addressOf('GET /api/organizations/{orgId}/images/{imageId}', {
        params: { orgId, imageId: image.id },
      });
}
