import { icuCollations } from './types.ts';

/** Functions of DuckDB 1.5.5 that a query must not use, with the reason as the end of a sentence. */
interface RefusedFunctions {
  readonly reason: string;
  /** What to use instead, if there is a safe alternative. */
  readonly instead?: string;
  readonly names: string;
}

const refusedFunctions: readonly RefusedFunctions[] = [
  {
    reason: 'it takes SQL, or a query plan, as a value',
    names: `json_deserialize_sql json_execute_serialized_sql json_serialize_plan json_serialize_sql query
      sql_auto_complete`,
  },
  {
    reason: 'it takes the name of a table as a value',
    instead: 'Name the table in FROM.',
    names: 'duckdb_table_sample query_table seq_scan',
  },
  {
    reason: 'it takes the name of a table as a value',
    instead: 'Use the aggregate function histogram in SELECT.',
    names: 'histogram histogram_values',
  },
  {
    reason: 'it takes a type as a value',
    instead: 'Use CAST, such as CAST(text AS JSON)::STRUCT(name VARCHAR).',
    names: `cast_to_type from_json from_json_strict get_type json_transform json_transform_strict make_type
      replace_type`,
  },
  {
    reason: 'it reads memory by its address',
    names: 'arrow_scan arrow_scan_dumb',
  },
  {
    reason: 'it reads files',
    instead: 'Upload the file as a table of the data source.',
    names: `glob parquet_bloom_probe parquet_file_metadata parquet_full_metadata parquet_kv_metadata
      parquet_metadata parquet_scan parquet_schema read_blob read_csv read_csv_auto read_duckdb read_json
      read_json_auto read_json_objects read_json_objects_auto read_ndjson read_ndjson_auto read_ndjson_objects
      read_parquet read_text sniff_csv`,
  },
  {
    reason: 'it describes the server, not the data',
    names: `current_connection_id current_query current_query_id current_schemas current_setting
      current_transaction_id duckdb_approx_database_count duckdb_connection_count duckdb_coordinate_systems
      duckdb_databases duckdb_dependencies duckdb_extensions duckdb_external_file_cache duckdb_functions
      duckdb_indexes duckdb_keywords duckdb_log_contexts duckdb_logs duckdb_logs_parsed duckdb_memory
      duckdb_optimizers duckdb_prepared_statements duckdb_profiling_settings duckdb_schemas duckdb_secret_types
      duckdb_secrets duckdb_sequences duckdb_settings duckdb_temporary_files duckdb_types duckdb_variables
      duckdb_views get_block_size parse_duckdb_log_message pragma_collations pragma_database_size
      pragma_metadata_info pragma_platform pragma_storage_info pragma_user_agent pragma_version txid_current
      version which_secret`,
  },
  {
    reason: 'it describes the server, not the data',
    instead: 'Use information_schema.columns, information_schema.tables, DESCRIBE or SHOW TABLES.',
    names: 'duckdb_columns duckdb_constraints duckdb_tables pragma_show pragma_table_info',
  },
  {
    reason: 'it changes the server, or depends on what an earlier query left behind',
    names: `check_peg_parser checkpoint currval disable_logging disable_peg_parser disable_profiling
      enable_logging enable_peg_parser enable_profiling force_checkpoint getvariable nextval setseed
      truncate_duckdb_logs write_log`,
  },
  {
    reason: 'it only waits',
    names: 'pg_sleep sleep_ms',
  },
  {
    reason: 'it fails inside DuckDB on some values',
    instead: 'Use list_filter, or a list comprehension such as [x FOR x IN list IF x > 0].',
    names: 'array_select array_where list_select list_where',
  },
  {
    reason: 'it fails inside DuckDB on some values',
    instead: 'Use approx_quantile or quantile_cont.',
    names: 'reservoir_quantile',
  },
  {
    reason: 'it is an internal function of DuckDB',
    instead: 'Use COLLATE, such as ORDER BY name COLLATE de.',
    names: `icu_sort_key ${icuCollations.map((name) => `icu_collate_${name}`).join(' ')}`,
  },
  {
    reason: 'it is an internal function of DuckDB',
    instead: 'Use SUMMARIZE.',
    names: 'stats summary',
  },
  {
    reason: 'it is an internal function of DuckDB',
    names: `__internal_compress_integral_ubigint __internal_compress_integral_uinteger
      __internal_compress_integral_usmallint __internal_compress_integral_utinyint
      __internal_compress_string_hugeint __internal_compress_string_ubigint __internal_compress_string_uhugeint
      __internal_compress_string_uinteger __internal_compress_string_usmallint
      __internal_compress_string_utinyint __internal_decompress_integral_bigint
      __internal_decompress_integral_hugeint __internal_decompress_integral_integer
      __internal_decompress_integral_smallint __internal_decompress_integral_ubigint
      __internal_decompress_integral_uhugeint __internal_decompress_integral_uinteger
      __internal_decompress_integral_usmallint __internal_decompress_string can_cast_implicitly combine
      constant_or_null create_sort_key finalize in_search_path is_histogram_other_bin normalized_interval
      remap_struct test_all_types test_vector_types timetz_byte_comparable unpivot_list vector_type`,
  },
  {
    reason: 'variants are not supported',
    instead: 'Use JSON, such as json_extract.',
    names: `variant_bytes_to_variant variant_extract variant_normalize variant_to_parquet_variant variant_typeof`,
  },
  {
    reason: 'geometries are not supported',
    names: `st_asbinary st_astext st_aswkb st_aswkt st_crs st_geomfromwkb st_intersects_extent st_setcrs`,
  },
  {
    reason: 'it exists for programs that expect the catalog of PostgreSQL',
    names: `col_description format_pg_type format_type has_any_column_privilege has_column_privilege
      has_database_privilege has_foreign_data_wrapper_privilege has_function_privilege has_language_privilege
      has_schema_privilege has_sequence_privilege has_server_privilege has_table_privilege
      has_tablespace_privilege inet_client_addr inet_client_port inet_server_addr inet_server_port
      map_to_pg_oid obj_description pg_collation_is_visible pg_conf_load_time pg_conversion_is_visible
      pg_function_is_visible pg_get_constraintdef pg_get_expr pg_get_viewdef pg_has_role
      pg_is_other_temp_schema pg_my_temp_schema pg_opclass_is_visible pg_operator_is_visible
      pg_opfamily_is_visible pg_postmaster_start_time pg_table_is_visible pg_ts_config_is_visible
      pg_ts_dict_is_visible pg_ts_parser_is_visible pg_ts_template_is_visible pg_type_is_visible
      shobj_description`,
  },
];

const groupOf = new Map(
  refusedFunctions.flatMap((group) => group.names.split(/\s+/).map((name) => [name, group] as const)),
);

/** Returns why a function was refused, and what to use instead; undefined for a function that is not in the list. */
export const findRefusal = (name: string): { reason: string; instead?: string } | undefined =>
  groupOf.get(name);

export const refusedNames: readonly string[] = [...groupOf.keys()];
