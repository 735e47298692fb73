import type { Migration } from './migration.ts';

/**
 * Who last added or changed each widget of a dashboard. Before this step, only the versions said who had saved them: where several
 * people did, or proposed what was saved, each of them counts as an editor of every widget, which never shows more than it should.
 * Programs without this step would save dashboards without their editors.
 */
export const widgetEditors: Migration = ({ text }, engine) => {
  const list = engine === 'SQLite' ? 'json_group_array' : 'json_agg';
  return [
    `alter table dashboards add column widget_editors ${text}`,
    `update dashboards set widget_editors = (
      select '{"all":' || cast(${list}(maker.user_id) as text) || '}' from (
        select dashboards.updated_by as user_id
        union select user_id from dashboard_versions where record_id = dashboards.id
        union select user_id from proposed_versions where dashboard_id = dashboards.id
      ) as maker
    ) where organization_id is not null and (
      exists (
        select 1 from dashboard_versions
        where record_id = dashboards.id and user_id <> dashboards.updated_by
      ) or exists (
        select 1 from proposed_versions
        where dashboard_id = dashboards.id and user_id <> dashboards.updated_by
      )
    )`,
  ];
};
