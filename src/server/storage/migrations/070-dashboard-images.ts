import type { Migration } from './migration.ts';

/**
 * The images that each dashboard or one of its versions shows, and who uploaded an image, which decide who may see it. Whatever a
 * dashboard showed before this step counts as put there by someone who may see it. Programs without this step would save dashboards
 * without their images.
 */
export const dashboardImages: Migration = ({ text }) => [
  `create table dashboard_images (
    organization_id ${text} not null references organizations (id),
    hash ${text} not null,
    dashboard_id ${text} not null references dashboards (id) on delete cascade,
    primary key (dashboard_id, hash)
  )`,
  'create index dashboard_images_by_image on dashboard_images (organization_id, hash)',
  `create table image_uploaders (
    organization_id ${text} not null,
    hash ${text} not null,
    user_id ${text} not null references users (id),
    primary key (organization_id, hash, user_id),
    foreign key (organization_id, hash) references images (organization_id, hash) on delete cascade
  )`,
  'create index image_uploaders_by_user on image_uploaders (user_id)',
  `insert into dashboard_images (organization_id, hash, dashboard_id)
  select images.organization_id, images.hash, dashboards.id
  from images join dashboards on dashboards.organization_id = images.organization_id
  where dashboards.widgets like '%' || images.hash || '%' or exists (
    select 1 from dashboard_versions
    where record_id = dashboards.id
    and (delta like '%' || images.hash || '%' or content like '%' || images.hash || '%')
  )`,
];
