import type { Migration } from './migration.ts';

/** When each person uploaded an image; null for uploads from before, which have the time of the image. */
export const timesOfUploads: Migration = ({ text }) => [
  `alter table image_uploaders add column uploaded_at ${text}`,
];
