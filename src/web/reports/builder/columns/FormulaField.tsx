import { Input } from '@mantine/core';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { useBuilder } from '../context.ts';
import { openFormulaEditor, type FormulaEditorHandle } from './formula-editor.ts';
import classes from './FormulaField.module.css';

/** An editor of a formula, which completes columns and functions and marks what is wrong. */
export function FormulaField({
  pointer,
  description,
  formula,
  hasAggregates = false,
  onChange,
}: {
  /** Where the formula is in the structure. */
  readonly pointer: string;
  readonly description: string;
  readonly formula: string;
  /** Whether it computes one value of many rows, with aggregates. */
  readonly hasAggregates?: boolean;
  readonly onChange: (formula: string) => void;
}): ReactNode {
  const { columns, faults } = useBuilder();
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<FormulaEditorHandle>(null);
  const fault = faults.find((one) => one.pointer === pointer);
  // The editor is created only once, but uses the latest columns and calls the latest callback.
  const latest = useRef({ formula, columns, hasAggregates, onChange });
  useEffect(() => {
    latest.current = { formula, columns, hasAggregates, onChange };
  });
  useEffect(() => {
    if (place.current === null) return;
    const opened = openFormulaEditor(place.current, {
      text: latest.current.formula,
      label: 'Formula',
      describedBy: id,
      names: () => latest.current,
      onChange: (changed) => latest.current.onChange(changed),
    });
    editor.current = opened;
    return () => {
      editor.current = null;
      opened.destroy();
    };
  }, [id]);
  useEffect(() => editor.current?.setText(formula), [formula]);
  useEffect(() => editor.current?.setFault(fault), [fault]);
  return (
    <div>
      <Input.Label component="div">Formula</Input.Label>
      <Input.Description id={id} mb={4}>
        {description}
      </Input.Description>
      <div ref={place} className={classes.editor} />
    </div>
  );
}
