/** The aggregates of formulas that standard SQL has too, with one argument, and their names there. */
export const aggregates: readonly (readonly [formula: string, sql: string])[] = [
  ['sum', 'SUM'],
  ['average', 'AVG'],
  ['min', 'MIN'],
  ['max', 'MAX'],
];

/** The other functions of formulas that mean the same in standard SQL. */
export const scalars: readonly (readonly [formula: string, sql: string])[] = [
  ['coalesce', 'COALESCE'],
  ['abs', 'ABS'],
  ['floor', 'FLOOR'],
  ['ceil', 'CEILING'],
  ['upper', 'UPPER'],
  ['lower', 'LOWER'],
];
