import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import {
  completionsAt,
  type FormulaColumn,
  type FormulaCompletion,
} from '#shared/query-builder/formula/completion.ts';

/** What a formula can refer to. */
export interface FormulaNames {
  readonly columns: readonly FormulaColumn[];
  /** Whether it computes one value of many rows, with aggregates. */
  readonly hasAggregates: boolean;
}

/** Completes columns, functions and operators: while a name is typed, or when people ask for it with Ctrl Space. */
export const completeFormula =
  (names: () => FormulaNames) =>
  ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const { columns, hasAggregates } = names();
    const formula = state.doc.toString();
    const { from, completions } = completionsAt(formula, pos, columns, hasAggregates);
    if (completions.length === 0 || (from === pos && !explicit)) return null;
    return { from, options: completions.map(optionOf), filter: false };
  };

const optionOf = ({ kind, label, text, detail, description }: FormulaCompletion): Completion => ({
  label,
  detail,
  type: kind,
  ...(description !== '' && { info: description }),
  apply(view, _, from, to) {
    // The editor has already closed the bracket.
    const isClosed = kind === 'column' && view.state.sliceDoc(to, to + 1) === ']';
    const insert = kind === 'function' ? `${text})` : text;
    view.dispatch({
      changes: { from, to: isClosed ? to + 1 : to, insert },
      selection: { anchor: from + text.length },
    });
  },
});
