import { createHash } from 'node:crypto';
import { may } from '#shared/permissions.ts';
import type { Image } from '#contract/images.ts';
import { imageTypes, isShowable, maxImageBytes, type ImageType } from '#shared/images/image-file.ts';
import type { Actor } from '../base/actor.ts';
import { recordAudit } from '../audit/audit.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import { requirePermission, requirePermissionToChange } from '../organizations/authorization.ts';
import type { Database, Reader } from '../storage/database.ts';
import { findUpload, noteUploader, selectClosedImages, selectImagesOfDashboard } from './access.ts';
import { receiveImage, type ImageRules } from './receive.ts';
import {
  deleteImageRow,
  findImage,
  findReadableImage,
  insertImage,
  measureImages,
  requireRoomFor,
  selectListedImages,
  selectReadableIds,
  type StoredImage,
} from './store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
}

const maxImages = 1_000;
const maxOrganizationBytes = 200 * 1024 ** 2;

const rules: ImageRules<ImageType> = {
  types: imageTypes,
  maxBytes: maxImageBytes,
  isSmallEnough: isShowable,
  sizeText: '2 MiB',
  typesText: 'PNG, JPEG, WebP or GIF',
  pixelsText: 'It can have up to 8,192 in each direction, and 32 million in total.',
};

/**
 * Stores an image, or returns the one with the same content that the actor has uploaded before. Requires the editor role or higher. Throws `unreadable_image`,
 * and `body_too_large` for a file of more than 2 MiB and for an organization with 1,000 images or 200 MiB of them.
 */
export async function createImage(
  { database, clock }: Dependencies,
  actor: Actor,
  input: {
    readonly organizationId: string;
    readonly lengthBytes: number | undefined;
    readonly chunks: AsyncIterable<Uint8Array>;
  },
): Promise<Image> {
  const { organizationId } = input;
  await requirePermission(database, actor, organizationId, 'image.manage');
  const { file, header } = await receiveImage(input, rules);
  const image: StoredImage = {
    organizationId,
    hash: createHash('sha256').update(file).digest('hex'),
    ...header,
    sizeBytes: file.length,
    createdAt: timestamp(clock()),
  };
  return database.write(async (transaction) => {
    await requirePermissionToChange(transaction, actor, organizationId, 'image.manage');
    const known = await findImage(transaction, image);
    const uploaded = { organizationId, hash: image.hash, userId: actor.userId };
    const own = await findUpload(transaction, uploaded);
    if (known !== undefined && own !== undefined)
      return toImage({ ...known, createdAt: own.uploadedAt ?? known.createdAt });
    // Nothing tells a file that somebody else has uploaded, too, from a new one: neither the time nor a limit.
    const { bytes, count } = await measureImages(transaction, organizationId);
    if (count >= maxImages || bytes + file.length > maxOrganizationBytes) throw tooMany();
    if (known === undefined) await insertImage(transaction, { ...image, content: file.toString('base64') });
    else await requireRoomFor(transaction, image);
    await noteUploader(transaction, { ...uploaded, at: image.createdAt });
    const details = { imageId: image.hash, type: image.type, sizeBytes: file.length };
    await recordAudit(transaction, clock, { organizationId, action: 'image.uploaded', actor, details });
    return toImage(image);
  });
}

/**
 * Lists the images that the actor uploaded, and those that a dashboard shows that the actor may see, the newest first. Admins also get
 * those that no dashboard shows, and editors those of them that were uploaded before Atrium noted by whom.
 */
export async function listImages(reader: Reader, actor: Actor, organizationId: string): Promise<Image[]> {
  const role = await requirePermission(reader, actor, organizationId, 'organization.view');
  const images = await selectListedImages(reader, {
    organizationId,
    userId: actor.userId,
    isEditor: may(role, 'image.manage'),
    isAdmin: may(role, 'organization.change'),
  });
  return images.map(toImage);
}

/** Returns the IDs of the images that a member may see. */
export const listImageIds = async (
  reader: Reader,
  member: { readonly organizationId: string; readonly userId: string },
): Promise<ReadonlySet<string>> => new Set(await selectReadableIds(reader, member));

/**
 * Returns the file of an image for members who uploaded it or may see a dashboard that shows it; one that no dashboard shows, for all
 * members. With `onDashboard`, it must also be noted for that dashboard: a member may see more than those who look at it. Throws
 * `not_found`.
 */
export async function readImage(
  reader: Reader,
  actor: Actor,
  {
    organizationId,
    id,
    onDashboard,
  }: { readonly organizationId: string; readonly id: string; readonly onDashboard?: string },
): Promise<{ readonly type: string; readonly file: Buffer }> {
  await requirePermission(reader, actor, organizationId, 'organization.view');
  const isShown = onDashboard === undefined || (await selectImagesOfDashboard(reader, onDashboard)).has(id);
  const image =
    isShown && (await findReadableImage(reader, { organizationId, hash: id, userId: actor.userId }));
  if (!image) throw notFound();
  return { type: image.type, file: Buffer.from(image.content, 'base64') };
}

/** Deletes an image that the actor may see. Requires the editor role or higher. Throws `not_found`. */
export async function deleteImage(
  { database, clock }: Dependencies,
  actor: Actor,
  { organizationId, id }: { readonly organizationId: string; readonly id: string },
): Promise<void> {
  await database.write(async (transaction) => {
    await requirePermissionToChange(transaction, actor, organizationId, 'image.manage');
    const key = { organizationId, hash: id };
    const closed = await selectClosedImages(transaction, {
      organizationId,
      userId: actor.userId,
      hashes: [id],
    });
    if (closed.has(id) || (await deleteImageRow(transaction, key)) === 0) throw notFound();
    const details = { imageId: id };
    await recordAudit(transaction, clock, { organizationId, action: 'image.deleted', actor, details });
  });
}

const tooMany = (): AtriumError =>
  new AtriumError(
    'body_too_large',
    'An organization can have up to 1,000 images, of up to 200 MiB together. Delete images that no dashboard shows.',
  );

const toImage = ({
  hash,
  organizationId,
  type,
  width,
  height,
  sizeBytes,
  createdAt,
}: StoredImage): Image => ({
  id: hash,
  organizationId,
  type,
  width,
  height,
  sizeBytes,
  createdAt,
});
