import { expressionBuilder, sql, type Expression, type SqlBool } from 'kysely';
import { mayOnRecordOfMember } from '../access/filter.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { jsonRows, prepare } from '../storage/prepared-query.ts';
import type { Tables } from '../storage/tables.ts';

interface ImageColumns {
  readonly organizationId: Expression<string>;
  readonly hash: Expression<string>;
}

/** Returns the condition that a dashboard shows an image, also if it is in the trash, or that one of its versions does. */
export const isNamed = ({ organizationId, hash }: ImageColumns): Expression<SqlBool> => {
  const eb = expressionBuilder<Tables>();
  return eb.exists(
    eb
      .selectFrom('dashboard_images as naming')
      .select(sql.lit(1).as('one'))
      .where('naming.organization_id', '=', organizationId)
      .where('naming.hash', '=', hash),
  );
};

/** Returns the condition that a member uploaded an image, or may see a dashboard that shows it. */
export const isReachable = ({ organizationId, hash }: ImageColumns, userId: string): Expression<SqlBool> => {
  const eb = expressionBuilder<Tables>();
  return eb.or([
    isUploadedBy({ organizationId, hash }, userId),
    eb.exists(
      eb
        .selectFrom('dashboard_images as shown')
        .innerJoin('dashboards', 'dashboards.id', 'shown.dashboard_id')
        .select(sql.lit(1).as('one'))
        .where('shown.organization_id', '=', organizationId)
        .where('shown.hash', '=', hash)
        .where(mayOnRecordOfMember('dashboard', 'dashboard.view', userId)),
    ),
  ]);
};

const isUploadedBy = (
  { organizationId, hash }: ImageColumns,
  userId: string | undefined,
): Expression<SqlBool> => {
  const eb = expressionBuilder<Tables>();
  let uploaders = eb
    .selectFrom('image_uploaders as uploader')
    .select(sql.lit(1).as('one'))
    .where('uploader.organization_id', '=', organizationId)
    .where('uploader.hash', '=', hash);
  if (userId !== undefined) uploaders = uploaders.where('uploader.user_id', '=', userId);
  return eb.exists(uploaders);
};

/** Returns the condition that it is known who uploaded an image. */
export const hasUploader = (image: ImageColumns): Expression<SqlBool> => isUploadedBy(image, undefined);

/** An image, and a person who may have uploaded it. */
interface Upload {
  readonly organizationId: string;
  readonly hash: string;
  readonly userId: string;
}

const insertUploader = prepare((db, p: Upload & { at: string }) =>
  db
    .insertInto('image_uploaders')
    .values({ organization_id: p.organizationId, hash: p.hash, user_id: p.userId, uploaded_at: p.at })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Notes that a person uploaded an image, and so may see it. */
export const noteUploader = (
  transaction: Transaction,
  uploaded: Upload & { readonly at: string },
): Promise<number> => transaction.run(insertUploader, uploaded);

const upload = prepare((db, p: Upload) =>
  db
    .selectFrom('image_uploaders')
    .select('uploaded_at as uploadedAt')
    .where('organization_id', '=', p.organizationId)
    .where('hash', '=', p.hash)
    .where('user_id', '=', p.userId),
);

/** Returns when a person uploaded an image, null if the time is not known; undefined if the person didn't. */
export const findUpload = (
  reader: Reader,
  uploaded: Upload,
): Promise<{ readonly uploadedAt: string | null } | undefined> => reader.first(upload, uploaded);

interface Named {
  readonly organizationId: string;
  readonly hashes: readonly string[];
}

const closed = prepare((db, p: Named & { userId: string }) => {
  const { ref, not, and, exists } = expressionBuilder<
    Tables & { named: Tables['dashboard_images'] },
    'named'
  >();
  const image = { organizationId: ref('named.organization_id'), hash: ref('named.hash') };
  const isMember = exists(
    db
      .selectFrom('members as editor')
      .select(sql.lit(1).as('one'))
      .where('editor.organization_id', '=', p.organizationId)
      .where('editor.user_id', '=', p.userId),
  );
  return db
    .selectFrom('dashboard_images as named')
    .select('named.hash')
    .distinct()
    .where('named.organization_id', '=', p.organizationId)
    .where('named.hash', 'in', p.hashes)
    .where(not(and([isMember, isReachable(image, p.userId)])));
});

/** Returns which of some images a person may not see: those that only dashboards show that the person may not see. */
export const selectClosedImages = async (
  reader: Reader,
  input: Named & { readonly userId: string },
): Promise<ReadonlySet<string>> => new Set((await reader.all(closed, input)).map(({ hash }) => hash));

const ofDashboard = prepare((db, p: { dashboardId: string }) =>
  db.selectFrom('dashboard_images').select('hash').where('dashboard_id', '=', p.dashboardId),
);

/** Returns the images that a dashboard, or one of its versions, shows as put there by someone who may see them. */
export const selectImagesOfDashboard = async (
  reader: Reader,
  dashboardId: string,
): Promise<ReadonlySet<string>> =>
  new Set((await reader.all(ofDashboard, { dashboardId })).map(({ hash }) => hash));

const insertNamed = prepare(
  (
    db,
    p: { organizationId: string; dashboardId: string; rows: readonly { readonly hash: string }[] },
    engine,
  ) =>
    db
      .insertInto('dashboard_images')
      .columns(['organization_id', 'hash', 'dashboard_id'])
      .expression(
        db
          .selectFrom(jsonRows(engine, p.rows, ['hash']).as('added'))
          .select([
            sql<string>`${p.organizationId}`.as('organization_id'),
            'added.hash',
            sql<string>`${p.dashboardId}`.as('dashboard_id'),
          ])
          // Without a condition, SQLite would read “on conflict” as that of a join.
          .where(sql<boolean>`true`),
      )
      .onConflict((conflict) => conflict.doNothing()),
);

/** Notes that a dashboard shows images, so that people who may see it may see them. */
export const noteImagesOfDashboard = (
  transaction: Transaction,
  { hashes, ...dashboard }: Named & { readonly dashboardId: string },
): Promise<number> => transaction.run(insertNamed, { ...dashboard, rows: hashes.map((hash) => ({ hash })) });
