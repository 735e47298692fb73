import { expressionBuilder, sql, type Expression, type SqlBool } from 'kysely';
import type { ImageType } from '#shared/images/image-file.ts';
import { requireRoom } from '../quotas/quotas.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';
import type { Tables } from '../storage/tables.ts';
import { hasUploader, isNamed, isReachable } from './access.ts';

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

const columnsWithoutTime = [
  'images.organization_id as organizationId',
  'images.hash',
  'images.type',
  'images.width',
  'images.height',
  'images.size_bytes as sizeBytes',
] as const;
const columns = [...columnsWithoutTime, 'images.created_at as createdAt'] as const;

interface ImageKey {
  readonly organizationId: string;
  readonly hash: string;
}

const { ref, not, and, or } = expressionBuilder<Tables, 'images'>();
const image = { organizationId: ref('images.organization_id'), hash: ref('images.hash') };

interface Listing {
  readonly organizationId: string;
  readonly userId: string;
  readonly isEditor: boolean;
  readonly isAdmin: boolean;
}

const listed = prepare(
  (db, p: Omit<Listing, 'isEditor' | 'isAdmin'> & { isEditor: number; isAdmin: number }) =>
    db
      .selectFrom('images')
      .leftJoin('image_uploaders as own', (join) =>
        join
          .onRef('own.organization_id', '=', 'images.organization_id')
          .onRef('own.hash', '=', 'images.hash')
          .on('own.user_id', '=', p.userId),
      )
      .select(columnsWithoutTime)
      // People who uploaded a file themselves don't learn that somebody else was first.
      .select(({ fn }) => fn.coalesce('own.uploaded_at', 'images.created_at').as('createdAt'))
      .where('images.organization_id', '=', p.organizationId)
      .where(
        or([
          isReachable(image, p.userId),
          and([
            not(isNamed(image)),
            or([
              sql<boolean>`${p.isAdmin} = 1`,
              and([sql<boolean>`${p.isEditor} = 1`, not(hasUploader(image))]),
            ]),
          ]),
        ]),
      )
      .orderBy('createdAt', 'desc')
      .orderBy('images.hash'),
);

/**
 * Returns the images of an organization that a list shows a member, the newest first: those that the member uploaded, and those
 * that a dashboard shows that the member may see. Those that no dashboard shows are listed for admins and, if it isn't known who
 * uploaded them, for editors.
 */
export const selectListedImages = (
  reader: Reader,
  { isEditor, isAdmin, ...member }: Listing,
): Promise<StoredImage[]> =>
  reader.all(listed, { ...member, isEditor: Number(isEditor), isAdmin: Number(isAdmin) });

const isReadable = (userId: string): Expression<SqlBool> =>
  or([not(isNamed(image)), isReachable(image, userId)]);

const readableIds = prepare((db, p: { organizationId: string; userId: string }) =>
  db
    .selectFrom('images')
    .select('hash')
    .where('organization_id', '=', p.organizationId)
    .where(isReadable(p.userId)),
);

/** Returns the IDs of the images that a member may see, listed or not. */
export const selectReadableIds = async (
  reader: Reader,
  member: { readonly organizationId: string; readonly userId: string },
): Promise<string[]> => (await reader.all(readableIds, member)).map(({ hash }) => hash);

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

const readable = prepare((db, p: ImageKey & { userId: string }) =>
  db
    .selectFrom('images')
    .select([...columns, 'content'])
    .where('organization_id', '=', p.organizationId)
    .where('hash', '=', p.hash)
    .where(isReadable(p.userId)),
);

/**
 * Returns an image with its content in Base64 if a member may see it, or undefined: one that the member uploaded, that a dashboard
 * shows that the member may see, or that no dashboard shows.
 */
export const findReadableImage = (
  reader: Reader,
  key: ImageKey & { readonly userId: string },
): Promise<(StoredImage & { readonly content: string }) | undefined> => reader.first(readable, key);

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
  await requireRoomFor(transaction, image);
  return transaction.run(insert, image);
}

/** Throws `quota_exceeded` if an organization has no room for an image. */
export const requireRoomFor = (
  transaction: Transaction,
  { organizationId, sizeBytes: bytes }: Pick<StoredImage, 'organizationId' | 'sizeBytes'>,
): Promise<void> => requireRoom(transaction, { kind: 'organization', organizationId }, { records: 0, bytes });

const remove = prepare((db, p: ImageKey) =>
  db.deleteFrom('images').where('organization_id', '=', p.organizationId).where('hash', '=', p.hash),
);

/** Deletes an image. Returns how many were deleted. */
export const deleteImageRow = (transaction: Transaction, key: ImageKey): Promise<number> =>
  transaction.run(remove, key);
