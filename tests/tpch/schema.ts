/** The tables of TPC-H (specification 3.0.1, section 1.4), each with its columns in order and their types. */
export const tpchTables = {
  region: { r_regionkey: 'bigint', r_name: 'varchar(25)', r_comment: 'varchar(152)' },
  nation: {
    n_nationkey: 'bigint',
    n_name: 'varchar(25)',
    n_regionkey: 'bigint',
    n_comment: 'varchar(152)',
  },
  supplier: {
    s_suppkey: 'bigint',
    s_name: 'varchar(25)',
    s_address: 'varchar(40)',
    s_nationkey: 'bigint',
    s_phone: 'varchar(15)',
    s_acctbal: 'numeric(15,2)',
    s_comment: 'varchar(101)',
  },
  part: {
    p_partkey: 'bigint',
    p_name: 'varchar(55)',
    p_mfgr: 'varchar(25)',
    p_brand: 'varchar(10)',
    p_type: 'varchar(25)',
    p_size: 'bigint',
    p_container: 'varchar(10)',
    p_retailprice: 'numeric(15,2)',
    p_comment: 'varchar(23)',
  },
  partsupp: {
    ps_partkey: 'bigint',
    ps_suppkey: 'bigint',
    ps_availqty: 'bigint',
    ps_supplycost: 'numeric(15,2)',
    ps_comment: 'varchar(199)',
  },
  customer: {
    c_custkey: 'bigint',
    c_name: 'varchar(25)',
    c_address: 'varchar(40)',
    c_nationkey: 'bigint',
    c_phone: 'varchar(15)',
    c_acctbal: 'numeric(15,2)',
    c_mktsegment: 'varchar(10)',
    c_comment: 'varchar(117)',
  },
  orders: {
    o_orderkey: 'bigint',
    o_custkey: 'bigint',
    o_orderstatus: 'varchar(1)',
    o_totalprice: 'numeric(15,2)',
    o_orderdate: 'date',
    o_orderpriority: 'varchar(15)',
    o_clerk: 'varchar(15)',
    o_shippriority: 'bigint',
    o_comment: 'varchar(79)',
  },
  lineitem: {
    l_orderkey: 'bigint',
    l_partkey: 'bigint',
    l_suppkey: 'bigint',
    l_linenumber: 'bigint',
    l_quantity: 'numeric(15,2)',
    l_extendedprice: 'numeric(15,2)',
    l_discount: 'numeric(15,2)',
    l_tax: 'numeric(15,2)',
    l_returnflag: 'varchar(1)',
    l_linestatus: 'varchar(1)',
    l_shipdate: 'date',
    l_commitdate: 'date',
    l_receiptdate: 'date',
    l_shipinstruct: 'varchar(25)',
    l_shipmode: 'varchar(10)',
    l_comment: 'varchar(44)',
  },
} as const;

export type TpchTable = keyof typeof tpchTables;

// Sound because the object has no other keys.
export const tpchTableNames = Object.keys(tpchTables) as TpchTable[];

/** SQL that creates the tables in PostgreSQL. */
export const createTablesSql = Object.entries(tpchTables)
  .map(([table, columns]) => {
    const definitions = Object.entries(columns).map(([name, type]) => `${name} ${type} NOT NULL`);
    return `CREATE TABLE ${table} (${definitions.join(', ')});`;
  })
  .join('\n');

/** Without these indexes, PostgreSQL would read all rows of lineitem for each row of the queries with a subquery. */
export const createIndexesSql = `
  CREATE INDEX ON partsupp (ps_partkey, ps_suppkey);
  CREATE INDEX ON orders (o_custkey);
  CREATE INDEX ON lineitem (l_orderkey);
  CREATE INDEX ON lineitem (l_partkey, l_suppkey);
  ANALYZE;`;
