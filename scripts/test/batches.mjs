import { readFileSync } from 'node:fs';

const filesPerProcess = 25;
/** Tests that take long, run servers in processes of their own, measure, or use a library that leaves something open. */
const takesLong =
  /^tests.(process|faults|linear-time|imports)\b|contract.client|roles.table|sso-requirement|tables.upload|sample.test|engine.limits/;
/** Node loses track of the suite at an `await` outside of functions: the tests after it would belong to no file. */
const awaitsOutside = /^(?!.*\basync\b)\S.*\bawait /m;

/**
 * Returns the test files that share a process, in the order in which they start. In a process of its own for each file, loading
 * the server would take as long as the tests. The longest files start first, so that none of them runs alone at the end.
 */
export function toBatches(files) {
  const [long, others] = divide(files, (file) => takesLong.test(file));
  const [alone, shared] = divide(others, (file) => awaitsOutside.test(readFileSync(file, 'utf8')));
  const [whole, units] = divide(shared, (file) => file.startsWith('tests'));
  return [
    ...chunks(long, 1),
    ...chunks(whole, filesPerProcess),
    ...chunks(alone, 1),
    ...chunks(units, filesPerProcess),
  ];
}

function divide(files, belongsFirst) {
  return [files.filter(belongsFirst), files.filter((file) => !belongsFirst(file))];
}

function chunks(files, size) {
  return Array.from({ length: Math.ceil(files.length / size) }, (_, index) =>
    files.slice(index * size, (index + 1) * size),
  );
}
