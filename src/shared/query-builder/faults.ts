/** A part of a formula: from a character, counted from 0, to the one after the last. */
export interface FormulaRange {
  readonly start: number;
  readonly end: number;
}

/** What is wrong with a structure: a JSON pointer to the place, and a message for the person who builds the query. */
export interface StructureFault {
  readonly pointer: string;
  readonly message: string;
  /** The part of a formula that is wrong. */
  readonly range?: FormulaRange;
}

/** Collects the faults of a structure. */
export type ReportFault = (pointer: string, message: string, range?: FormulaRange) => void;
