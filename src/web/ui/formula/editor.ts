import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { EditorState, StateField } from '@codemirror/state';
import { Decoration, drawSelection, EditorView, keymap, type DecorationSet } from '@codemirror/view';
import type { StructureFault } from '#shared/query-builder/generate.ts';
import { styleNonce } from '../browser/nonce.ts';
import { sqlTheme } from './editor-theme.ts';
import { completeFormula, type FormulaNames } from './completion.ts';

/** An editor in the page, until it is destroyed. */
export interface FormulaEditorHandle {
  /** Replaces the text, unless it is the same. */
  setText(text: string): void;
  setFault(fault: Pick<StructureFault, 'message' | 'range'> | undefined): void;
  destroy(): void;
}

/** Opens an editor of a formula in `parent`, which completes columns and functions. */
export function openFormulaEditor(
  parent: HTMLElement,
  options: {
    readonly text: string;
    readonly label: string;
    /** The id of the text that describes it. */
    readonly describedBy: string;
    readonly names: () => FormulaNames;
    readonly onChange: (text: string) => void;
  },
): FormulaEditorHandle {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        EditorView.cspNonce.of(styleNonce()),
        EditorView.contentAttributes.of({
          'aria-label': options.label,
          'aria-describedby': options.describedBy,
        }),
        history(),
        drawSelection(),
        bracketMatching(),
        closeBrackets(),
        autocompletion({ icons: false, override: [completeFormula(options.names)] }),
        columnMarks,
        sqlTheme,
        EditorView.lineWrapping,
        // Without Tab, which moves to the next control, as everywhere else on the page.
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap]),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) options.onChange(state.doc.toString());
        }),
      ],
    }),
  });
  return {
    setText(text) {
      const { doc } = view.state;
      if (doc.toString() !== text) view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
    },
    setFault(fault) {
      const { length } = view.state.doc;
      const diagnostics: Diagnostic[] =
        fault?.range === undefined || fault.range.start >= length
          ? []
          : [
              {
                from: fault.range.start,
                to: Math.min(fault.range.end, length),
                severity: 'error',
                message: fault.message,
              },
            ];
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    destroy: () => view.destroy(),
  };
}

const columnMark = Decoration.mark({ class: 'cm-parameter' });
/** Up to the end if the bracket isn't closed, so that it takes linear time. */
const columnPattern = /\[(?:[^\]]|\]\])*(?:\]|$)/g;

/** Highlights the columns. */
const columnMarks = StateField.define<DecorationSet>({
  create: ({ doc }) => markColumns(doc.toString()),
  update: (marks, { docChanged, newDoc }) => (docChanged ? markColumns(newDoc.toString()) : marks),
  provide: (field) => EditorView.decorations.from(field),
});

const markColumns = (formula: string): DecorationSet =>
  Decoration.set(
    [...formula.matchAll(columnPattern)].map(({ 0: text, index }) =>
      columnMark.range(index, index + text.length),
    ),
  );
