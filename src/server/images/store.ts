import type { ImageType } from '#shared/images/image-file.ts';
import { requireRoom } from '../quotas/quotas.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

/** An image without its content. */
export interface StoredImage {
  readonly organizationId: string;
  /** The SHA-256 of the file in hexadecimal. */
  readonly hash: string;
  readonly type: ImageType;
  readonly width: number;
  readonly height: number;
  readonly sizeBytes: number;
  readonly createdAt: string;
}

const columns = [
  'organization_id as organizationId',
  'hash',
  'type',
  'width',
  'height',
  'size_bytes as sizeBytes',
  'created_at as createdAt',
] as const;

interface ImageKey {
  readonly organizationId: string;
  readonly hash: string;
}

const ofOrganization = prepare((db, p: { organizationId: string }) =>
  db
    .selectFrom('images')
    .select(columns)
    .where('organization_id', '=', p.organizationId)
    .orderBy('created_at', 'desc')
    .orderBy('hash'),
);

/** Returns the images of an organization, the newest first. */
export const selectImages = (reader: Reader, organizationId: string): Promise<StoredImage[]> =>
  reader.all(ofOrganization, { organizationId });

const one = prepare((db, p: ImageKey) =>
  db
    .selectFrom('images')
    .select([...columns, 'content'])
    .where('organization_id', '=', p.organizationId)
    .where('hash', '=', p.hash),
);

/** Returns an image with its content in Base64, or undefined. */
export const findImage = (
  reader: Reader,
  key: ImageKey,
): Promise<(StoredImage & { readonly content: string }) | undefined> => reader.first(one, key);

const size = prepare((db, p: { organizationId: string }) =>
  db
    .selectFrom('images')
    .select((select) => [
      select.fn.sum<number | string | null>('size_bytes').as('bytes'),
      select.fn.countAll<number | string>().as('count'),
    ])
    .where('organization_id', '=', p.organizationId),
);

/** Returns how many images an organization has, and their size. */
export async function measureImages(
  reader: Reader,
  organizationId: string,
): Promise<{ readonly bytes: number; readonly count: number }> {
  const { bytes, count } = (await reader.first(size, { organizationId })) ?? {};
  return { bytes: Number(bytes ?? 0), count: Number(count ?? 0) };
}

const insert = prepare((db, p: StoredImage & { content: string }) =>
  db.insertInto('images').values({
    organization_id: p.organizationId,
    hash: p.hash,
    type: p.type,
    width: p.width,
    height: p.height,
    size_bytes: p.sizeBytes,
    content: p.content,
    created_at: p.createdAt,
  }),
);

export async function insertImage(
  transaction: Transaction,
  image: StoredImage & { readonly content: string },
): Promise<number> {
  const { organizationId, sizeBytes: bytes } = image;
  await requireRoom(transaction, { kind: 'organization', organizationId }, { records: 0, bytes });
  return transaction.run(insert, image);
}

const remove = prepare((db, p: ImageKey) =>
  db.deleteFrom('images').where('organization_id', '=', p.organizationId).where('hash', '=', p.hash),
);

/** Deletes an image. Returns how many were deleted. */
export const deleteImageRow = (transaction: Transaction, key: ImageKey): Promise<number> =>
  transaction.run(remove, key);
