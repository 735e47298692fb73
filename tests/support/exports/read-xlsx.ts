import { read, utils, type CellObject } from '@e965/xlsx';

/** Returns the sheets of a workbook by their names, each as rows of cells: a missing cell is null, and a formula has an equals sign. */
export function readSheets(file: Uint8Array): Map<string, unknown[][]> {
  const book = read(file, { type: 'buffer', cellDates: true, cellFormula: true, UTC: true });
  return new Map(
    book.SheetNames.map((name) => {
      const sheet = book.Sheets[name] ?? {};
      const { e: end } = utils.decode_range(sheet['!ref'] ?? 'A1');
      const rows = Array.from({ length: end.r + 1 }, (_, r) =>
        Array.from({ length: end.c + 1 }, (__, c) => {
          // Sound because addresses of cells lead to cells.
          const cell = sheet[utils.encode_cell({ r, c })] as CellObject | undefined;
          if (cell?.f !== undefined) return `formula ${cell.f}`;
          return cell?.v ?? null;
        }),
      );
      return [name, rows];
    }),
  );
}
