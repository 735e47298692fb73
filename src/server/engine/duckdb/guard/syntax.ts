/*
 * What the parse tree of DuckDB 1.5.5 may consist of, as `json_serialize_sql` writes it: see
 * src/include/duckdb/storage/serialization in its sources. A node or a field that a later version adds is refused until
 * it is listed here.
 */

const names = (text: string): string[] => text.trim().split(/\s+/);

/** The class of an expression, and the types that it may have. */
export const expressionTypes: ReadonlyMap<unknown, ReadonlySet<unknown>> = new Map(
  Object.entries({
    BETWEEN: 'COMPARE_BETWEEN COMPARE_NOT_BETWEEN',
    CASE: 'CASE_EXPR',
    CAST: 'OPERATOR_CAST',
    COLLATE: 'COLLATE',
    COLUMN_REF: 'COLUMN_REF',
    COMPARISON: `COMPARE_DISTINCT_FROM COMPARE_EQUAL COMPARE_GREATERTHAN COMPARE_GREATERTHANOREQUALTO COMPARE_LESSTHAN
      COMPARE_LESSTHANOREQUALTO COMPARE_NOTEQUAL COMPARE_NOT_DISTINCT_FROM`,
    CONJUNCTION: 'CONJUNCTION_AND CONJUNCTION_OR',
    CONSTANT: 'VALUE_CONSTANT',
    DEFAULT: 'VALUE_DEFAULT',
    FUNCTION: 'FUNCTION',
    LAMBDA: 'LAMBDA',
    OPERATOR: `ARRAY_CONSTRUCTOR ARRAY_EXTRACT ARRAY_SLICE COMPARE_IN COMPARE_NOT_IN GROUPING_FUNCTION OPERATOR_COALESCE
      OPERATOR_IS_NOT_NULL OPERATOR_IS_NULL OPERATOR_NOT OPERATOR_TRY OPERATOR_UNPACK STRUCT_EXTRACT`,
    PARAMETER: 'VALUE_PARAMETER',
    POSITIONAL_REFERENCE: 'POSITIONAL_REFERENCE',
    STAR: 'STAR',
    SUBQUERY: 'SUBQUERY',
    WINDOW: `WINDOW_AGGREGATE WINDOW_CUME_DIST WINDOW_FILL WINDOW_FIRST_VALUE WINDOW_LAG WINDOW_LAST_VALUE WINDOW_LEAD
      WINDOW_NTH_VALUE WINDOW_NTILE WINDOW_PERCENT_RANK WINDOW_RANK WINDOW_RANK_DENSE WINDOW_ROW_NUMBER`,
  }).map(([expressionClass, types]) => [expressionClass, new Set(names(types))]),
);

/** The types of nodes that aren't expressions: queries, tables, modifiers such as LIMIT, and details of types. */
export const nodeTypes: ReadonlySet<unknown> = new Set(
  names(`
    SELECT_NODE SET_OPERATION_NODE RECURSIVE_CTE_NODE CTE_NODE
    BASE_TABLE EMPTY EXPRESSION_LIST JOIN PIVOT SHOW_REF SUBQUERY TABLE_FUNCTION
    DISTINCT_MODIFIER LIMIT_MODIFIER LIMIT_PERCENT_MODIFIER ORDER_MODIFIER
    ASCENDING DESCENDING ORDER_DEFAULT
    ARRAY_TYPE_INFO DECIMAL_TYPE_INFO ENUM_TYPE_INFO LIST_TYPE_INFO STRING_TYPE_INFO STRUCT_TYPE_INFO UNBOUND_TYPE_INFO
  `),
);

/** Fields of any node. */
export const fields: ReadonlySet<string> = new Set(
  names(`
    node named_param_map map key value id type class alias query_location
    aggregate_handling cte_map from_table group_expressions group_sets having modifiers qualify sample select_list
    where_clause
    limit offset distinct_on_targets orders null_order expression
    aliases child cte_name key_targets left materialized query right setop_all setop_type union_all
    catalog_name column_name_alias schema_name table_name
    condition delim_flipped duplicate_eliminated_columns join_type ref_type using_columns
    expected_names expected_types values
    aggregates entries groups include_nulls pivot_expressions pivots source star_expr unpivot_names
    show_type subquery function with_ordinality
    is_percentage method sample_size seed
    case_checks else_expr then_expr when_expr
    cast_type try_cast collation column_names comparison_type identifier index input lower upper lhs expr
    columns exclude_list qualified_exclude_list relation_name rename_list replace_list catalog schema table column
    subquery_type
    arg_orders children default_expr distinct end end_expr exclude_clause filter filter_expr function_name ignore_nulls
    is_operator offset_expr order_bys partitions start start_expr
    child_type child_types first second name scale size type_info user_type_modifiers width is_null
    at_clause export_state extension_info pivot_enum
  `),
);

/** Fields that must be empty: tables at an earlier time, aggregate states as values, types by name. */
export const emptyFields: ReadonlySet<string> = new Set(
  names('at_clause export_state extension_info pivot_enum'),
);
