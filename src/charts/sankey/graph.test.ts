import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graphOf, maxNodes, sizeOf, type Flow } from './graph.ts';

const flow = (source: string, target: string, value: number): Flow => ({
  source,
  target,
  value,
  rows: [[source, target, value]],
});

const shown = (flows: readonly Flow[], hasSeparateSides = false) => {
  const { nodes, links, circular } = graphOf(flows, hasSeparateSides);
  const text = ({ source, target, value }: Flow) => `${source} ${target} ${value}`;
  return { nodes: nodes.map(({ name }) => name), links: links.map(text), circular: circular.map(text) };
};

test('names that are a source and a target are between the others', () => {
  const flows = [flow('visit', 'cart', 30), flow('visit', 'leave', 70), flow('cart', 'pay', 20)];
  assert.deepEqual(shown(flows), {
    nodes: ['visit', 'cart', 'leave', 'pay'],
    links: ['visit leave 70', 'visit cart 30', 'cart pay 20'],
    circular: [],
  });
  assert.deepEqual(sizeOf(graphOf(flows, false)), { columns: 3, rows: 2 });
});

test('of the flows that form a circle, the smallest is left out; separate sides show all', () => {
  const flows = [flow('a', 'b', 5), flow('b', 'c', 4), flow('c', 'a', 1), flow('b', 'b', 9)];
  assert.deepEqual(shown(flows), {
    nodes: ['a', 'b', 'c'],
    links: ['a b 5', 'b c 4'],
    circular: ['b b 9', 'c a 1'],
  });
  assert.deepEqual(shown(flows, true).circular, []);
  assert.equal(shown(flows, true).links.length, 4);
});

test('a name whose flows are all left out has no node', () => {
  assert.deepEqual(shown([flow('a', 'a', 5)]), { nodes: [], links: [], circular: ['a a 5'] });
  assert.deepEqual(shown([flow('x', 'x', 5), flow('a', 'b', 1)]).nodes, ['a', 'b']);
});

test('the smallest names are combined with others of the same place', () => {
  const many = Array.from({ length: 200 }, (_, index) => flow(`from ${index}`, 'to', 200 - index));
  const { nodes, links, nameCount } = graphOf([...many, flow('to', 'end', 1)], false);
  assert.equal(nameCount, 202);
  const others = nodes.filter(({ combined }) => combined !== undefined);
  assert.deepEqual(
    others.map(({ name, combined }) => [name, combined]),
    [
      [`Other (${200 - (maxNodes - 4)})`, 200 - (maxNodes - 4)],
      ['Other (1)', 1],
    ],
  );
  const sum = many.reduce((total, { value }) => total + value, 0);
  assert.equal(
    links.filter(({ target }) => target === 'to').reduce((total, { value }) => total + value, 0),
    sum,
  );
});

test('a circle through thousands of names is found in linear time for each flow', () => {
  const ring = Array.from({ length: 5_000 }, (_, index) =>
    flow(`n${index}`, `n${(index + 1) % 5_000}`, index + 1),
  );
  const { nodes } = graphOf(ring, false);
  assert.ok(nodes.length <= maxNodes);
});
