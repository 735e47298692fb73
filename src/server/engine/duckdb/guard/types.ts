/*
 * The types and collations of DuckDB 1.5.5 that a query may name. vocabulary.test.ts reports every one of the installed
 * version that is in no list.
 */

const names = (text: string): string[] => text.trim().split(/\s+/);

/** Types by the names that the parser uses. STRUCT and the like contain other types, which are checked in turn. */
export const types: ReadonlySet<string> = new Set([
  ...names(`
    ARRAY BIGINT BIGNUM BIT BLOB BOOLEAN DATE DECIMAL DOUBLE ENUM FLOAT HUGEINT INTEGER INTERVAL LIST MAP NULL SMALLINT
    STRUCT TIME TIMESTAMP TIMESTAMP_MS TIMESTAMP_NS TIMESTAMP_S TIME_NS TINYINT UBIGINT UHUGEINT UINTEGER UNION
    USMALLINT UTINYINT UUID VARCHAR
  `),
  'TIME WITH TIME ZONE',
  'TIMESTAMP WITH TIME ZONE',
]);

/** Their names in SQL, in lower case. The parser leaves some of these names to the planner. */
export const typeNames: ReadonlySet<string> = new Set([
  ...names(`
    array bigint bignum binary bit bitstring blob bool boolean bpchar bytea char date datetime dec decimal double enum
    float float4 float8 guid hugeint int int1 int128 int16 int2 int32 int4 int64 int8 integer integral interval json
    list logical long map null numeric nvarchar oid real row short signed smallint string struct text time time_ns
    timestamp timestamp_ms timestamp_ns timestamp_s timestamp_us timestamptz timetz tinyint ubigint uhugeint uint128
    uint16 uint32 uint64 uint8 uinteger union usmallint utinyint uuid varbinary varchar varint
  `),
  'time with time zone',
  'timestamp with time zone',
]);

/**
 * Types that a query must not name. A value of the type `type` decides the type of another value while the query is
 * planned; arithmetic with a variant fails inside DuckDB; geometries are read from a format of their own, and no report
 * needs them.
 */
export const refusedTypeNames: ReadonlySet<string> = new Set(['geometry', 'type', 'variant']);

/** Collations of languages, for each of which there is a function, such as `icu_collate_de`. */
export const icuCollations = names(`
  af am ar ar_sa as az be bg bn bo br bs ca ceb chr cs cy da de de_at dsb dz ee el en en_us eo es et fa fa_af ff fi
  fil fo fr fr_ca fy ga gl gu ha haw he he_il hi hr hsb hu hy id id_id ig is it ja ka kk kl km kn ko kok ku ky lb lij
  lkt ln lo lt lv mk ml mn mr ms mt my nb nb_no ne nl nn noaccent nso om or pa pa_in pl ps pt ro ru sa se si sk sl smn
  sq sr sr_ba sr_me sr_rs st sv sw ta te th tk tn to tr ug uk ur uz vi wae wo xh yi yo yue yue_cn zh zh_cn zh_hk zh_mo
  zh_sg zh_tw zu
`);

/** The parts that collations such as `NOCASE.NOACCENT` may consist of, in lower case. */
export const collations: ReadonlySet<string> = new Set([
  ...icuCollations,
  ...names('binary c icu_noaccent nfc nocase posix'),
]);
