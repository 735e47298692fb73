import { Type, type Static } from 'typebox';
import { imageTypes } from '#shared/images/image-file.ts';
import { defineRoute } from './route.ts';
import { Id, Timestamp } from './values.ts';

/** An image that an organization uploaded. */
export const Image = Type.Object({
  id: Type.String({ description: 'The SHA-256 of the file in hexadecimal: the same file has the same ID' }),
  organizationId: Id,
  type: Type.Enum(imageTypes, { description: 'By the content of the file' }),
  width: Type.Integer({ description: 'In pixels' }),
  height: Type.Integer({ description: 'In pixels' }),
  sizeBytes: Type.Integer({ description: 'The size of the file' }),
  createdAt: Timestamp,
});
export type Image = Static<typeof Image>;

const base = { tag: 'Images', access: 'session' } as const;
const params = Type.Object({ orgId: Type.String() });
const imageParams = Type.Object({
  orgId: Type.String(),
  imageId: Type.String({ description: 'The `id` of the image' }),
});

export const createImage = defineRoute({
  ...base,
  id: 'createImage',
  summary: 'Upload an image',
  description:
    'Requires the editor role or higher. The body is the file itself: PNG, JPEG, WebP or GIF, at most 2 MiB, 8,192 pixels wide ' +
    'and high, and 32 million pixels. An organization has at most 1,000 images and 200 MiB of them. Uploading the same file again ' +
    'returns the stored image.',
  method: 'POST',
  path: '/api/organizations/{orgId}/images',
  params,
  upload: imageTypes,
  status: 201,
  reply: Image,
  problems: ['forbidden', 'not_found', 'unreadable_image', 'quota_exceeded'],
});

export const listImages = defineRoute({
  ...base,
  id: 'listImages',
  summary: 'List the images of an organization',
  description:
    'Those that you uploaded and those that a dashboard shows that you may see, the newest first. Admins also get those that no dashboard ' +
    'shows, and editors those of them of which it isn’t known who uploaded them.',
  method: 'GET',
  path: '/api/organizations/{orgId}/images',
  params,
  status: 200,
  reply: Type.Object({ items: Type.Array(Image) }),
  problems: ['forbidden', 'not_found'],
});

export const readImage = defineRoute({
  ...base,
  id: 'readImage',
  summary: 'Download an image',
  description:
    'For people who uploaded it or may see a dashboard that shows it, now or in a former version; for all members if no dashboard does. ' +
    'The file of an ID never changes, so that browsers can keep it.',
  method: 'GET',
  path: '/api/organizations/{orgId}/images/{imageId}',
  params: imageParams,
  status: 200,
  alternatives: imageTypes,
  problems: ['forbidden', 'not_found'],
});

export const deleteImage = defineRoute({
  ...base,
  id: 'deleteImage',
  summary: 'Delete an image',
  description:
    'Requires the editor role or higher, and that you may see the image. Dashboards that show it then show its description.',
  method: 'DELETE',
  path: '/api/organizations/{orgId}/images/{imageId}',
  params: imageParams,
  status: 204,
  problems: ['forbidden', 'not_found'],
});
