/** What is wrong with a structure: a JSON pointer to the place, and a message for the person who builds the query. */
export interface StructureFault {
  readonly pointer: string;
  readonly message: string;
}

/** Collects the faults of a structure. */
export type ReportFault = (pointer: string, message: string) => void;
