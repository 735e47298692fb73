import { useContext, useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { ShownImage } from '#shared/images/image-value.ts';
import { addressOf } from '../../app/api.ts';
import classes from './ContentImage.module.css';
import { ImageOrganization } from './image-organization.ts';
import { DownloadedImage, ImageReader } from './ImageReader.tsx';

interface ImageProps {
  readonly description: string;
  /** Undefined in a text, where it has its own size. */
  readonly fit?: 'whole' | 'fill';
}

/** An image of the organization, or of its data. If it can't be shown, its description is. */
export function ContentImage({ image, ...props }: ImageProps & { readonly image: ShownImage }): ReactNode {
  const orgId = useContext(ImageOrganization);
  const read = useContext(ImageReader);
  if ('dataUrl' in image) return <ImageAt address={image.dataUrl} {...props} />;
  if (read !== undefined) {
    return (
      <DownloadedImage id={image.id} read={read}>
        {(address) => <ImageAt address={address} {...props} />}
      </DownloadedImage>
    );
  }
  const params = orgId === undefined ? undefined : { orgId, imageId: image.id };
  const address = params && addressOf('GET /api/organizations/{orgId}/images/{imageId}', { params });
  return <ImageAt address={address} {...props} />;
}

function ImageAt({
  address,
  description,
  fit,
}: ImageProps & { readonly address: string | undefined }): ReactNode {
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
