// Loaded into a server with `--import`: makes it a newer version, which adds a column and a table to the schema.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const added = `
const newerStep = () => [
  "alter table dashboards add column color varchar(20) default 'red'",
  'create table newer_things (id integer primary key)',
];
migrations.push(newerStep);
additive.add(newerStep);
`;

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    return url.endsWith('/storage/migrations/migrations.ts')
      ? { ...loaded, source: `${readFileSync(new URL(url), 'utf8')}\n${added}` }
      : loaded;
  },
});
