import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useContext, useId, type ReactNode } from 'react';
import type { Image } from '#contract/images.ts';
import { t } from '#shared/language/messages.ts';
import { imageTypes } from '#shared/images/image-file.ts';
import { callWithFile } from '../../../../app/api.ts';
import { Failure } from '../../../../ui/problems/Failure.tsx';
import { formatBytes } from '../../../../ui/text/bytes.ts';
import { ContentImage } from '../../../content/ContentImage.tsx';
import { ImageOrganization } from '../../../content/image-organization.ts';
import { DeleteImage } from './DeleteImage.tsx';
import { imagesQuery } from './image-queries.ts';
import classes from './ImagePicker.module.css';

/** Offers the images of the organization, and uploads new ones. */
export function ImagePicker({
  picked,
  onPick,
}: {
  /** The ID of the chosen image. */
  readonly picked?: string | undefined;
  /** Gets an empty text when the chosen image was deleted. */
  readonly onPick: (id: string) => void;
}): ReactNode {
  const orgId = useContext(ImageOrganization);
  return orgId === undefined ? (
    <Text size="sm" c="dimmed">
      {t('Images belong to an organization. This dashboard doesn’t.')}
    </Text>
  ) : (
    <OrganizationImages orgId={orgId} picked={picked} onPick={onPick} />
  );
}

function OrganizationImages({
  orgId,
  picked,
  onPick,
}: {
  readonly orgId: string;
  readonly picked: string | undefined;
  readonly onPick: (id: string) => void;
}): ReactNode {
  const images = useQuery(imagesQuery(orgId));
  const client = useQueryClient();
  const upload = useMutation({
    mutationFn: (file: File) =>
      callWithFile('POST /api/organizations/{orgId}/images', file, { params: { orgId } }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries(imagesQuery(orgId));
      onPick(id);
    },
  });
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <FileButton
          accept={imageTypes.join(',')}
          onChange={(file) => {
            if (file !== null) upload.mutate(file);
          }}
        >
          {(props) => (
            <Button
              {...props}
              size="xs"
              variant="default"
              leftSection={<IconUpload size={14} aria-hidden />}
              loading={upload.isPending}
            >
              {t('Upload an image')}
            </Button>
          )}
        </FileButton>
        <Text size="xs" c="dimmed">
          {t('PNG, JPEG, WebP or GIF, up to 2 MB')}
        </Text>
      </Group>
      {upload.isError && <Failure error={upload.error} />}
      {images.isError && <Failure error={images.error} retry={() => void images.refetch()} />}
      {images.data !== undefined && images.data.length > 0 && (
        <Choices images={images.data} picked={picked} onPick={onPick} />
      )}
      {images.data?.some(({ id }) => id === picked) === true && picked !== undefined && (
        <Group>
          <DeleteImage orgId={orgId} imageId={picked} onDeleted={() => onPick('')} />
        </Group>
      )}
    </Stack>
  );
}

const Choices = ({
  images,
  picked,
  onPick,
}: {
  readonly images: readonly Image[];
  readonly picked: string | undefined;
  readonly onPick: (id: string) => void;
}): ReactNode => {
  const name = useId();
  return (
    <div className={classes['choices']} role="radiogroup" aria-label={t('Uploaded images')}>
      {images.map(({ id, width, height, sizeBytes }) => (
        <label key={id} className={classes['choice']}>
          <input
            type="radio"
            name={name}
            value={id}
            checked={id === picked}
            aria-label={t('{width} × {height} pixels, {size}', {
              width,
              height,
              size: formatBytes(sizeBytes),
            })}
            // A chosen image can be chosen again, to insert it twice.
            onClick={() => onPick(id)}
            onChange={() => onPick(id)}
          />
          <ContentImage image={{ id }} description="" fit="whole" />
        </label>
      ))}
    </div>
  );
};
