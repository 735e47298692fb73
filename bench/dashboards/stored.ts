import { randomUUIDv7 } from 'node:crypto';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import { openForBulk, preparedInsert, type Row } from './bulk.ts';

const yearMs = 365 * 24 * 3_600_000;

interface Place {
  readonly userId: string;
  readonly organizationId: string;
}

/**
 * Writes dashboards directly into the embedded database of a server that is not running, as if they had been
 * created over the last year: alternately in the owner's organization and in `neighborCount` others, every
 * tenth of them private. Returns up to 2,000 ids of the owner's dashboards, evenly distributed.
 */
export async function storeDashboards(
  dataDirectory: string,
  { dashboardCount, neighborCount }: { readonly dashboardCount: number; readonly neighborCount: number },
): Promise<string[]> {
  const file = join(dataDirectory, 'atrium.sqlite');
  const database = openForBulk(file);
  database.exec('begin');
  const owner = findOwner(database);
  const places = [
    owner,
    ...Array.from({ length: neighborCount }, (_, index) => addNeighbor(database, index)),
  ];
  const insert = preparedInsert(database, 'dashboards');
  const startMs = Date.now() - yearMs;
  const ownersIds: string[] = [];
  for (let index = 0; index < dashboardCount; index += 1) {
    const place = places[index % places.length] ?? owner;
    const id = idAt(startMs + Math.floor((index / dashboardCount) * yearMs));
    insert(toRow(id, place, Math.floor(index / places.length)));
    if (place === owner) ownersIds.push(id);
    // Lets Ctrl-C end the program.
    if (index % 10_000 === 0) await setImmediate();
  }
  database.exec(
    'insert into dashboard_queue (id, dashboard_id) select id, id from dashboards where true on conflict do nothing',
  );
  database.exec('commit');
  database.close();
  flush(file);
  const step = Math.ceil(ownersIds.length / 2000);
  return ownersIds.filter((_, index) => index % step === 0);
}

/** Returns the only user and the only organization of a fresh database. */
function findOwner(database: DatabaseSync): Place {
  const row = database.prepare('select user_id, organization_id from members').get();
  return { userId: String(row?.['user_id']), organizationId: String(row?.['organization_id']) };
}

function addNeighbor(database: DatabaseSync, index: number): Place {
  const at = { created_at: new Date().toISOString(), updated_at: new Date().toISOString() };
  const [userId, organizationId] = [randomUUIDv7(), randomUUIDv7()];
  const name = `Neighbor ${index}`;
  const email = `neighbor.${index}@example.com`;
  preparedInsert(
    database,
    'users',
  )({ id: userId, email, organization_id: null, name, password_hash: null, ...at });
  const region = {
    time_zone: 'UTC',
    week_start: 'monday',
    locale: 'auto',
    currency: 'XXX',
    accent_color: '#3b59b4',
    chart_colors: '[]',
  };
  preparedInsert(database, 'organizations')({ id: organizationId, name, require_sso: 0, ...region, ...at });
  const member = {
    organization_id: organizationId,
    user_id: userId,
    role: 'owner',
    created_at: at.created_at,
  };
  preparedInsert(database, 'members')(member);
  return { userId, organizationId };
}

/**
 * Returns a new UUIDv7 (RFC 9562, section 5.7) as if it had been created at a time, which is its first 48
 * bits.
 */
function idAt(timeMs: number): string {
  const time = timeMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${randomUUIDv7().slice(13)}`;
}

function toRow(id: string, { userId, organizationId }: Place, number: number): Row<'dashboards'> {
  const at = new Date(parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString();
  return {
    id,
    user_id: userId,
    organization_id: number % 10 === 9 ? null : organizationId,
    name: `${topics[number % topics.length]} dashboard ${number}`,
    description: number % 3 === 0 ? 'Revenue and orders of the last twelve months' : null,
    widgets: widgetTexts[number % widgetTexts.length] ?? '[]',
    version: 1,
    created_at: at,
    updated_at: at,
    updated_by: userId,
  };
}

const topics = [
  'Sales',
  'Revenue',
  'Orders',
  'Churn',
  'Support',
  'Latency',
  'Marketing',
  'Finance',
  'Inventory',
  'Deliveries',
  'Customers',
  'Growth',
  'Forecast',
  'Budget',
  'Überstunden',
  'Qualität',
] as const;

/** The widgets of dashboards with one to five of them, as the server stores them: 200 to 1,000 characters. */
const widgetTexts = [1, 2, 3, 4, 5].map((widgetCount) => {
  const widgets = Array.from({ length: widgetCount }, (_, index): Widget => ({
    id: randomUUIDv7(),
    reportId: randomUUIDv7(),
    layout: { x: (index % 2) * 6, y: Math.floor(index / 2) * 4, w: 6, h: 4 },
    config: { title: `Revenue by region ${index}`, chart: 'bar', stacked: index % 2 === 0 },
  }));
  return JSON.stringify(widgets);
});

/** Flushes the file to the disk before anything is measured. */
function flush(file: string): void {
  const descriptor = openSync(file, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
