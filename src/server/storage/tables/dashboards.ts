import type { ColumnType, Generated } from 'kysely';

/** The tables of dashboards, with their comments, their links and the index of their lists. */
export interface DashboardTables {
  dashboards: {
    id: string;
    user_id: string;
    organization_id: string | null;
    name: string;
    description: string | null;
    widgets: string;
    version: number;
    created_at: string;
    updated_at: string;
    /** The user who saved the current version. */
    updated_by: string;
    /** A `StoredEditors` as JSON: who last added or changed each widget; null if `updated_by` did. */
    widget_editors: Generated<string | null>;
    change: Generated<string>;
    restored_from: number | null;
    /** The hash of the request that saved the current version, to recognize a repeated one. */
    save_hash: string | null;
    restricted: Generated<number>;
    deleted_at: string | null;
    deleted_by: string | null;
    /** The id of the document that an import created it from; unique in the organization. */
    origin_id: string | null;
    /** The folder that it is in; null if it is in none. */
    folder_id: string | null;
    /** The folder that it was moved to the trash with. */
    deleted_with: string | null;
  };
  dashboard_versions: {
    record_id: string;
    version: number;
    user_id: string;
    at: string;
    change: string;
    restored_from: number | null;
    save_hash: string | null;
    /** The delta that turns the next version into this one. */
    delta: string | null;
    /** In some versions, the complete content instead of the delta, so that chains of deltas stay short. */
    content: string | null;
  };
  comment_threads: {
    id: string;
    dashboard_id: string;
    version: number;
    widget_id: string | null;
    /** A `CommentMark` as JSON. */
    mark: string | null;
    resolved_at: string | null;
    resolved_by: string | null;
  };
  comments: {
    id: string;
    thread_id: string;
    user_id: string;
    content: string;
    created_at: string;
    edited_at: string | null;
    deleted_at: string | null;
  };
  comment_mentions: { comment_id: string; user_id: string };
  /** How many open threads and comments a dashboard has; the revision grows with each change. */
  comment_counts: { dashboard_id: string; revision: number; open_count: number; comment_count: number };
  /** The links that show a dashboard on a wall display. */
  display_links: {
    id: string;
    token_hash: string;
    dashboard_id: string;
    organization_id: string;
    name: string;
    /** A query string. */
    filters: string;
    created_by: string;
    /** How the creator had signed in, a `SessionMethod`. */
    method: string;
    satisfies_sso: number;
    created_at: string;
    expires_at: string | null;
    last_used_at: string | null;
  };
  /** The streams of events that are open, by which others see who has a dashboard open. */
  dashboard_streams: { id: string; dashboard_id: string; user_id: string; expires_at: string };
  dashboard_editors: { dashboard_id: string; user_id: string; expires_at: string };
  /** The queue of changes for the index: a row per change, in order of time. */
  dashboard_queue: { id: string; dashboard_id: string };
  dashboard_entries: {
    /** A 64-bit integer, which PostgreSQL returns as a text. */
    key: ColumnType<number | string, number, number>;
    dashboard_id: string;
    /** The organization, or the user who owns a personal dashboard. */
    scope: string;
    user_id: string;
    sort_name: string;
    updated_at: string;
    words_hash: string;
    /** Empty if it is in no folder. */
    folder_id: Generated<string>;
  };
  dashboard_stars: { user_id: string; dashboard_id: string; starred_at: string };
  dashboard_visits: { user_id: string; dashboard_id: string; visited_at: string };
}
