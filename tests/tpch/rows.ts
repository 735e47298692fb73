import { seededRandom, type SeededRandom } from '../support/seeded-random.ts';
import type { TpchTable } from './schema.ts';
import * as vocabulary from './vocabulary.ts';

/** The values of a row in the order of its columns, as written in CSV. */
export type TpchRow = readonly (string | number)[];

const counts = { supplier: 100, part: 2_000, customer: 1_500, orders: 15_000 };
const dayMs = 86_400_000;
const firstDay = Date.UTC(1992, 0, 1) / dayMs;
const lastOrderDay = Date.UTC(1998, 7, 2) / dayMs;
const today = Date.UTC(1995, 5, 17) / dayMs;

/**
 * Returns the rows of TPC-H at scale 0.01, the same for the same seed. For the queries, they are like those of its generator
 * (specification 3.0.1, section 4.2.3). Values that the queries look for but that are rare at this scale are added on purpose,
 * so that no result is empty.
 */
export function makeTpchRows(seed: number): Record<TpchTable, TpchRow[]> {
  const random = seededRandom(seed);
  const region = vocabulary.regions.map((name, key) => [key, name, comment(random)]);
  const nation = vocabulary.nations.map(([name, regionKey], key) => [key, name, regionKey, comment(random)]);
  const part = numbers(counts.part).map((key) => makePart(random, key));
  const supplier = numbers(counts.supplier).map((key) => makeSupplier(random, key));
  const partsupp = numbers(counts.part).flatMap((partKey) =>
    [0, 1, 2, 3].map((index) => [
      partKey,
      supplierOf(partKey, index),
      random.integer(1, 9_999),
      money(random.integer(100, 100_000)),
      comment(random),
    ]),
  );
  const customer = numbers(counts.customer).map((key) => makeCustomer(random, key));
  const ordersWithLines = numbers(counts.orders).map((index) => makeOrder(random, index));
  const orders = ordersWithLines.map(({ order }) => order);
  const lineitem = ordersWithLines.flatMap(({ lines }) => lines);
  return { region, nation, supplier, part, partsupp, customer, orders, lineitem };
}

/** The brand, container and size of the parts that queries 17 and 19 look for. */
const soughtParts = [
  ['Brand#12', 'SM CASE', 3],
  ['Brand#23', 'MED BOX', 7],
  ['Brand#34', 'LG PACK', 12],
] as const;

function makePart(random: SeededRandom, key: number): TpchRow {
  const manufacturer = random.integer(1, 5);
  const sought = key % 50 === 0 ? random.pick(soughtParts) : undefined;
  const [
    brand = `Brand#${manufacturer}${random.integer(1, 5)}`,
    container = vocabulary.containers.map(random.pick).join(' '),
    size = random.integer(1, 50),
  ] = sought ?? [];
  const name = [key % 50 === 1 ? 'forest' : random.pick(vocabulary.colors), random.pick(vocabulary.colors)];
  return [
    key,
    name.join(' '),
    `Manufacturer#${manufacturer}`,
    brand,
    vocabulary.partTypes.map((choices) => random.pick<string>(choices)).join(' '),
    size,
    container,
    money(retailPrice(key)),
    random.pick(vocabulary.commentWords),
  ];
}

function makeSupplier(random: SeededRandom, key: number): TpchRow {
  const nation = random.integer(0, 24);
  return [
    key,
    `Supplier#${String(key).padStart(9, '0')}`,
    address(random),
    nation,
    phone(random, nation),
    money(random.integer(-99_999, 999_999)),
    key % 20 === 0 ? 'a Customer made many Complaints' : comment(random),
  ];
}

function makeCustomer(random: SeededRandom, key: number): TpchRow {
  const nation = random.integer(0, 24);
  return [
    key,
    `Customer#${String(key).padStart(9, '0')}`,
    address(random),
    nation,
    phone(random, nation),
    money(random.integer(-99_999, 999_999)),
    random.pick(vocabulary.segments),
    comment(random),
  ];
}

function makeOrder(random: SeededRandom, index: number): { order: TpchRow; lines: TpchRow[] } {
  // Eight of 32 keys are used, as in the specification.
  const key = Math.floor(index / 8) * 32 + (index % 8);
  // Every third customer has no orders.
  const customer = random.integer(0, counts.customer / 3 - 1) * 3 + random.integer(1, 2);
  const orderDay = random.integer(firstDay, lastOrderDay);
  // Query 18 looks for orders with a quantity of more than 300.
  const isBulk = index % 1_000 === 0;
  const lines = numbers(isBulk ? 7 : random.integer(1, 7)).map((line) =>
    makeLine(random, { key, line, orderDay, leastQuantity: isBulk ? 45 : 1 }),
  );
  const isOpen = lines.map(({ row }) => row[9] === 'O');
  const status = isOpen.every(Boolean) ? 'O' : isOpen.some(Boolean) ? 'P' : 'F';
  const order = [
    key,
    customer,
    status,
    money(lines.reduce((sum, { charge }) => sum + charge, 0)),
    date(orderDay),
    random.pick(vocabulary.priorities),
    `Clerk#${String(random.integer(1, 10)).padStart(9, '0')}`,
    0,
    comment(random),
  ];
  return { order, lines: lines.map(({ row }) => row) };
}

function makeLine(
  random: SeededRandom,
  of: { key: number; line: number; orderDay: number; leastQuantity: number },
): { row: TpchRow; charge: number } {
  const part = random.integer(1, counts.part);
  const quantity = random.integer(of.leastQuantity, 50);
  const price = quantity * retailPrice(part);
  const discount = random.integer(0, 10);
  const tax = random.integer(0, 8);
  const shipDay = of.orderDay + random.integer(1, 121);
  const receiptDay = shipDay + random.integer(1, 30);
  const row = [
    of.key,
    part,
    supplierOf(part, random.integer(0, 3)),
    of.line,
    money(quantity * 100),
    money(price),
    money(discount),
    money(tax),
    receiptDay > today ? 'N' : random.pick(['R', 'A']),
    shipDay > today ? 'O' : 'F',
    date(shipDay),
    date(of.orderDay + random.integer(30, 90)),
    date(receiptDay),
    random.pick(vocabulary.instructions),
    random.pick(vocabulary.modes),
    random.pick(vocabulary.commentWords),
  ];
  return { row, charge: Math.round((price * (100 - discount) * (100 + tax)) / 10_000) };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Returns the price of a part in cents. */
const retailPrice = (part: number): number =>
  90_000 + (Math.floor(part / 10) % 20_001) + 100 * (part % 1_000);

/** Returns one of the four suppliers of a part. */
const supplierOf = (part: number, index: number): number =>
  ((part + index * (counts.supplier / 4 + Math.floor((part - 1) / counts.supplier))) % counts.supplier) + 1;

/** Returns an amount in cents as decimal digits, without floating-point arithmetic, so that nothing is rounded. */
function money(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const date = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

const comment = (random: SeededRandom): string =>
  [0, 1, 2, 3].map(() => random.pick(vocabulary.commentWords)).join(' ');

const address = (random: SeededRandom): string => `${random.integer(1, 999)} ${comment(random)}`.slice(0, 40);

function phone(random: SeededRandom, nation: number): string {
  return `${nation + 10}-${random.integer(100, 999)}-${random.integer(100, 999)}-${random.integer(1_000, 9_999)}`;
}
