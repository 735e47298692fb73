import type { ColumnType, Generated } from 'kysely';

/** The tables of data sources, uploaded files, images and logos. */
export interface DataSourceTables {
  data_sources: {
    id: string;
    organization_id: string;
    name: string;
    kind: string;
    connection: string | null;
    /** Sealed. */
    password: string | null;
    created_at: string;
    updated_at: string;
    /** The user who owns it; null if nobody does, as for those that were created before data sources had owners. */
    user_id: string | null;
    restricted: Generated<number>;
    /** Null unless it is in the trash. */
    deleted_at: string | null;
    deleted_by: string | null;
  };
  /** Files that were uploaded, and aren't tables yet. */
  uploads: {
    id: string;
    organization_id: string;
    user_id: string;
    /** Relative to the directory of the organization's uploads. */
    file: string;
    format: string;
    size_bytes: ColumnType<number | string, number, number>;
    created_at: string;
  };
  source_tables: {
    data_source_id: string;
    name: string;
    /** Relative to the directory of the data source. */
    file: string;
    columns: string;
    /** A 64-bit integer, like `size_bytes`, which PostgreSQL returns as a text. */
    row_count: ColumnType<number | string, number, number>;
    size_bytes: ColumnType<number | string, number, number>;
    created_at: string;
    /** The checksum of the file, in hex; null in older rows until the file is checked. */
    sha256: string | null;
  };
  /** Uploaded tables in the trash. */
  deleted_tables: DataSourceTables['source_tables'] & { id: string; deleted_at: string; deleted_by: string };
  /** The descriptions of tables. That of a deleted one is empty, and keeps its version, so that versions never repeat. */
  table_models: {
    data_source_id: string;
    schema_name: string;
    table_name: string;
    version: number;
    content: string;
    updated_at: string;
  };
  /** Uploaded images, each with its file in Base64. */
  images: {
    organization_id: string;
    hash: string;
    type: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
    width: number;
    height: number;
    size_bytes: number;
    content: string;
    created_at: string;
  };
  /** The images that a dashboard or one of its versions shows, as put there by someone who may see them. */
  dashboard_images: { organization_id: string; hash: string; dashboard_id: string };
  /** The people who uploaded an image; nobody for images of older versions of Atrium. */
  /** Who uploaded an image, and when; null if it was uploaded before this was stored. */
  image_uploaders: { organization_id: string; hash: string; user_id: string; uploaded_at: string | null };
  /** The logo of an organization, with its file in Base64. */
  organization_logos: {
    organization_id: string;
    id: string;
    type: 'image/png' | 'image/jpeg' | 'image/webp';
    content: string;
    uploaded_at: string;
  };
}
