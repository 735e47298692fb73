import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { sql, StandardSQL, type SQLDialect, type SQLNamespace } from '@codemirror/lang-sql';
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { Compartment, EditorState, StateField, type Extension } from '@codemirror/state';
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  type DecorationSet,
} from '@codemirror/view';
import { findColumnModel, findModel, type TableModel } from '#shared/models.ts';
import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import { t } from '#shared/language/messages.ts';
import { findPlaceholders } from '#shared/sql/placeholders.ts';
import type { SourceDialect } from '../../data-sources/kinds/dialects.ts';
import { styleNonce } from '../../ui/browser/nonce.ts';
import { sqlHighlighting, sqlTheme } from '../../ui/formula/editor-theme.ts';

/** The names that the editor completes. */
export interface SqlNames {
  readonly tables: readonly SourceTable[];
  /** What authors have written about the tables. */
  readonly models: readonly TableModel[];
  readonly parameters: readonly string[];
}

/** An error in the query, with its position if it is known. */
export interface SqlFault {
  readonly message: string;
  /** Starts at 1. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** An editor in the page, until it is destroyed. */
export interface SqlEditorHandle {
  /** Replaces the text, unless it is the same. */
  setText(text: string): void;
  setNames(names: SqlNames): void;
  /** Highlights and completes in the dialect of a source, as soon as it has loaded. */
  setDialect(dialect: SourceDialect | undefined): void;
  setFault(fault: SqlFault | undefined): void;
  /** Replaces the selection, and puts the cursor after it. */
  insert(text: string): void;
  destroy(): void;
}

/** Opens an editor of SQL in `parent`. */
export function openSqlEditor(
  parent: HTMLElement,
  options: {
    readonly text: string;
    readonly names: SqlNames;
    readonly onChange: (text: string) => void;
    readonly onRun: () => void;
  },
): SqlEditorHandle {
  const language = new Compartment();
  let { names } = options;
  let dialect: SourceDialect | undefined;
  let editorDialect: SQLDialect = StandardSQL;
  const reconfigure = () =>
    view.dispatch({ effects: language.reconfigure(languageOf(names, editorDialect, dialect)) });
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        EditorView.cspNonce.of(styleNonce()),
        EditorView.contentAttributes.of({ 'aria-label': t('Query') }),
        // Before the other keymaps, in which Enter inserts a line break.
        keymap.of([
          {
            key: 'Mod-Enter',
            run: () => {
              options.onRun();
              return true;
            },
          },
        ]),
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        autocompletion({ icons: false }),
        placeholders,
        syntaxHighlighting(sqlHighlighting),
        sqlTheme,
        EditorView.lineWrapping,
        language.of(languageOf(names, editorDialect, dialect)),
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
    setNames(changed) {
      names = changed;
      reconfigure();
    },
    setDialect(chosen) {
      dialect = chosen;
      void chosen?.loadEditorDialect().then((loaded) => {
        // By now, another source may have been chosen, or the editor closed.
        if (dialect !== chosen) return;
        editorDialect = loaded;
        reconfigure();
      });
    },
    setFault: (fault) => view.dispatch(setDiagnostics(view.state, fault ? [diagnosticOf(view, fault)] : [])),
    insert(text) {
      view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true });
      view.focus();
    },
    destroy() {
      dialect = undefined;
      view.destroy();
    },
  };
}

function languageOf(
  { tables, models, parameters }: SqlNames,
  dialect: SQLDialect,
  source: Pick<SourceDialect, 'defaultSchema'> | undefined,
): Extension {
  const schemas = [...new Set(tables.map(({ schema }) => schema))];
  const schema: SQLNamespace = Object.fromEntries(
    schemas.map((name) => [
      name,
      Object.fromEntries(
        tables
          .filter((table) => table.schema === name)
          .map((table) => [table.name, completionsOf(table, findModel(models, table))]),
      ),
    ]),
  );
  const first = schemas.find((name) => name === source?.defaultSchema) ?? schemas[0];
  const support = sql({ dialect, schema, ...(first !== undefined && { defaultSchema: first }) });
  return [support, support.language.data.of({ autocomplete: completeParameter(parameters) })];
}

/** Returns the completions of a table and its columns; hidden columns come last. */
function completionsOf(table: SourceTable, model: TableModel | undefined): SQLNamespace {
  const description = model?.description ?? table.description;
  return {
    self: {
      label: table.name,
      type: 'type',
      ...(model?.displayName !== undefined && { detail: model.displayName }),
      ...(description !== undefined && { info: description }),
    },
    children: table.columns.map((column): Completion => {
      const described = findColumnModel(model, column.name);
      const info = described?.description ?? column.description;
      return {
        label: column.name,
        type: 'property',
        detail: [described?.displayName, column.sourceType].filter(Boolean).join(' · '),
        ...(info !== undefined && { info }),
        ...(described?.isHidden === true && { boost: -50 }),
      };
    }),
  };
}

/** Completes the names of parameters after `{{`. */
const completeParameter =
  (names: readonly string[]) =>
  (context: CompletionContext): CompletionResult | null => {
    const match = context.matchBefore(/\{\{\s*\w*/);
    if (match === null) return null;
    const isClosed = context.state.sliceDoc(context.pos, context.pos + 2) === '}}';
    return {
      from: match.from + 2,
      options: names.map((name) => ({
        label: name,
        type: 'variable',
        apply: isClosed ? name : `${name}}}`,
      })),
    };
  };

function diagnosticOf(view: EditorView, { message, line, column }: SqlFault): Diagnostic {
  const { doc } = view.state;
  if (line === undefined || line > doc.lines) {
    return { from: 0, to: doc.line(1).to, severity: 'error', message };
  }
  const { from, to } = doc.line(Math.max(1, line));
  const start = Math.min(from + Math.max(0, (column ?? 1) - 1), to);
  const word = /^(?:\w+|\S)/.exec(doc.sliceString(start, to))?.[0].length ?? 0;
  return { from: start, to: Math.min(start + Math.max(word, 1), doc.length), severity: 'error', message };
}

const parameterMark = Decoration.mark({ class: 'cm-parameter' });

/** Highlights the parameters in the query. */
const placeholders = StateField.define<DecorationSet>({
  create: ({ doc }) => markParameters(doc.toString()),
  update: (marks, { docChanged, newDoc }) => (docChanged ? markParameters(newDoc.toString()) : marks),
  provide: (field) => EditorView.decorations.from(field),
});

const markParameters = (query: string): DecorationSet =>
  Decoration.set(
    findPlaceholders(query).placeholders.map(({ start, end }) => parameterMark.range(start, end)),
  );
