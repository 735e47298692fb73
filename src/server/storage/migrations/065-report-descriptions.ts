import type { Engine } from '../prepared-query.ts';
import type { Migration } from './migration.ts';

/**
 * Descriptions of reports in a column of their own, so that lists don't read contents; and the long columns of reports and dashboards after
 * all others. Programs without this step would store no descriptions.
 */
export const reportDescriptions: Migration = ({ text }, engine) => [
  `alter table reports add column description ${text}`,
  `update reports set description = ${
    engine === 'SQLite' ? `content ->> '$.description'` : `content::json ->> 'description'`
  }`,
  ...putLast('reports', 'content', text, engine),
  ...putLast('dashboards', 'widgets', text, engine),
];

/**
 * Puts a long column after the others. To read a column, SQLite follows every page of the columns before it, however long. PostgreSQL
 * stores long values apart from their row.
 */
const putLast = (table: string, column: string, text: string, engine: Engine): string[] =>
  engine === 'PostgreSQL'
    ? []
    : [
        `alter table ${table} add column moved ${text} not null default ''`,
        `update ${table} set moved = ${column}`,
        `alter table ${table} drop column ${column}`,
        `alter table ${table} rename column moved to ${column}`,
      ];
